import { perPerson } from '../../person.js';
import type { OAuthUpstream } from '../../upstream.js';
import { dialledError } from './api-error.js';
import { addEndpoints } from './call.js';
import { itemEndpoints } from './items.js';
import { createLinks } from './links.js';
import { addFilesiteOAuth, filesiteOAuth } from './oauth.js';
import { seededState } from './seed.js';
import { addSharepoint, SHAREPOINT } from './sharepoint.js';
import { siteEndpoints } from './sites.js';
import { createUploadSessions } from './upload-sessions.js';
import { uploadEndpoints } from './uploads.js';

export const filesite: OAuthUpstream = {
  id: 'filesite',
  title: 'File-site',
  oauth: filesiteOAuth,
  failure: dialledError,
  mount(app, context) {
    const { clock, authorizationServer } = context;
    const states = perPerson((person) => seededState(person, clock));
    const host = authorizationServer.baseUrl + SHAREPOINT;
    const links = createLinks(host, clock);
    const sessions = createUploadSessions(host, clock);
    const surroundings = { context, states, links, sessions };
    addFilesiteOAuth(app, context);
    addEndpoints(app, [...siteEndpoints, ...itemEndpoints, ...uploadEndpoints], surroundings);
    addSharepoint(app, surroundings);
    return {
      reset() {
        states.reset();
        links.reset();
        sessions.reset();
      },
    };
  },
};
