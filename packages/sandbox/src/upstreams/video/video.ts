import { dialledError, errorBody } from '../../google/api-error.js';
import { addNotFoundPage } from '../../google/not-found-page.js';
import { addGoogleOAuth, googleOAuth } from '../../google/oauth.js';
import { createQuota } from '../../google/quota.js';
import { statusErrorBody } from '../../google/status-error.js';
import type { OAuthUpstream } from '../../upstream.js';
import { addAnalyticsApi } from './analytics/add-analytics-api.js';
import { addDataApi } from './data-api/add-data-api.js';
import { addReportingApi } from './reporting/add-reporting-api.js';
import { SCOPES } from './scopes.js';
import { seededWorld } from './seed.js';

const HOSTS = { analytics: { path: '/analytics' }, reporting: { path: '/reporting' } };

export const video: OAuthUpstream = {
  id: 'video',
  title: 'Video',
  oauth: googleOAuth(SCOPES),
  hosts: HOSTS,
  failure(status, _requestId, host) {
    const error = dialledError(status);
    return host === 'reporting' ? statusErrorBody(error) : errorBody(error);
  },
  mount(app, context) {
    let world = seededWorld(context.clock);
    const quota = createQuota(context.clock);
    const surroundings = { context, quota, world: () => world };
    addNotFoundPage(app);
    addGoogleOAuth(app, context);
    addDataApi(app, surroundings);
    addAnalyticsApi(app, { ...surroundings, ...HOSTS.analytics });
    addReportingApi(app, { ...surroundings, ...HOSTS.reporting });
    return {
      reset() {
        world = seededWorld(context.clock);
        quota.reset();
      },
    };
  },
};
