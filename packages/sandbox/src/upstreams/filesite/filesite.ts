import { perPerson } from '../../person.js';
import type { OAuthUpstream } from '../../upstream.js';
import { dialledError } from './api-error.js';
import { batchEndpoints } from './batch.js';
import { addEndpoints } from './call.js';
import { changeEndpoints } from './change-items.js';
import { followEndpoints } from './follow-items.js';
import { itemEndpoints } from './items.js';
import { createLinks, createMonitors } from './links.js';
import { listEndpoints } from './lists.js';
import { addFilesiteOAuth, filesiteOAuth } from './oauth.js';
import { searchEndpoints } from './search.js';
import { seededState } from './seed.js';
import { sharedEndpoints } from './shared-items.js';
import { addSharepoint, sharepointOf } from './sharepoint.js';
import { peopleEndpoints, siteEndpoints } from './sites.js';
import { createUploadSessions } from './upload-sessions.js';
import { uploadEndpoints } from './uploads.js';

const ENDPOINTS = [
  ...peopleEndpoints,
  ...siteEndpoints,
  ...itemEndpoints,
  ...uploadEndpoints,
  ...changeEndpoints,
  ...followEndpoints,
  ...sharedEndpoints,
  ...listEndpoints,
  ...searchEndpoints,
  ...batchEndpoints,
];

export const filesite: OAuthUpstream = {
  id: 'filesite',
  title: 'File-site',
  oauth: filesiteOAuth,
  failure: dialledError,
  mount(app, context) {
    const { clock, authorizationServer } = context;
    const states = perPerson((person) => seededState(person, clock));
    const host = sharepointOf(authorizationServer.baseUrl);
    const links = createLinks(host, clock);
    const sessions = createUploadSessions(host, clock);
    const monitors = createMonitors(host);
    const surroundings = { context, states, links, sessions, monitors };
    addFilesiteOAuth(app, context);
    addEndpoints(app, ENDPOINTS, surroundings);
    addSharepoint(app, surroundings);
    return {
      reset() {
        states.reset();
        links.reset();
        sessions.reset();
        monitors.reset();
      },
    };
  },
};
