import { perPerson } from '../../person.js';
import type { OAuthUpstream } from '../../upstream.js';
import { dialledError, errorBody, invalidUrl } from './api-error.js';
import { addBlocks } from './blocks.js';
import { createEndpoints } from './call.js';
import { addComments } from './comments.js';
import { addDataSources } from './data-sources.js';
import { addDatabases } from './databases.js';
import { addWorkspaceOAuth, workspaceOAuth } from './oauth.js';
import { addPages } from './pages.js';
import { addSearch } from './search.js';
import { seededState } from './seed.js';
import { addUsers } from './users.js';

export const workspace: OAuthUpstream = {
  id: 'workspace',
  title: 'Workspace',
  oauth: workspaceOAuth,
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
    for (const add of [addPages, addDatabases, addDataSources, addBlocks, addComments, addUsers, addSearch])
      add(endpoints);
    return { reset: states.reset };
  },
};
