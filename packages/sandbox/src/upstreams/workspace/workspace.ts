import { perPerson } from '../../person.js';
import type { OAuthUpstream } from '../../upstream.js';
import { dialledError, errorBody, invalidUrl } from './api-error.js';
import { addBlocks } from './blocks.js';
import { createEndpoints } from './call.js';
import { addComments } from './comments.js';
import { addDataSources } from './data-sources.js';
import { addDatabases } from './databases.js';
import { addFileUploads } from './file-uploads.js';
import { addWorkspaceOAuth, workspaceOAuth } from './oauth.js';
import { addPageMarkdown } from './page-markdown.js';
import { addMovePage, addPageProperty, addPages } from './pages.js';
import { addSearch } from './search.js';
import { seededState } from './seed.js';
import { addUsers } from './users.js';
import { addViews } from './views.js';

const PARTS = [
  addPages,
  addPageProperty,
  addPageMarkdown,
  addMovePage,
  addDatabases,
  addDataSources,
  addViews,
  addBlocks,
  addComments,
  addFileUploads,
  addUsers,
  addSearch,
];

export const workspace: OAuthUpstream = {
  id: 'workspace',
  title: 'Workspace',
  oauth: workspaceOAuth,
  // Allows 3 requests per second on average. Bursts are possible, because the window is 60 s.
  rateLimit: { requests: 180, perSeconds: 60 },
  failure: dialledError,
  mount(app, context) {
    const states = perPerson((person) => seededState(person, context.clock));
    app.addHook('onRequest', async (request, reply) => void reply.header('x-notion-request-id', request.id));
    app.setNotFoundHandler((request, reply) => {
      const error = invalidUrl();
      return reply.code(error.status).send(errorBody(error, request.id));
    });
    addWorkspaceOAuth(app, context);
    const endpoints = createEndpoints(app, context, states);
    for (const add of PARTS) add(endpoints);
    return { reset: states.reset };
  },
};
