import type { Upstream } from '../../upstream.js';
import { addWorkspaceOAuth, workspaceOAuth } from './oauth.js';

export const workspace: Upstream = {
  id: 'workspace',
  title: 'Workspace',
  oauth: workspaceOAuth,
  failure: (status) => ({ object: 'error', status }),
  mount(app, context) {
    addWorkspaceOAuth(app, context);
    return { reset() {} };
  },
};
