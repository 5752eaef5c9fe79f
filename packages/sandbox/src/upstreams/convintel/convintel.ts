import type { KeyUpstream } from '../../upstream.js';
import { accountEndpoints } from './account.js';
import { activityEndpoints } from './activities.js';
import { dialledError, errorBody, notFound, unauthorized } from './api-error.js';
import { addEndpoint } from './call.js';
import { insightEndpoints } from './insights.js';
import type { Organization } from './organization.js';
import { createRateLimiter } from './rate-limit.js';
import { recordEndpoints } from './records.js';
import { REGIONS, regionOf } from './regions.js';
import { seededOrganization } from './seed.js';
import { uploadEndpoints } from './upload.js';
import { webhookEndpoints } from './webhooks.js';

const ENDPOINTS = [
  ...accountEndpoints,
  ...activityEndpoints,
  ...insightEndpoints,
  ...recordEndpoints,
  ...uploadEndpoints,
  ...webhookEndpoints,
];

export const convintel: KeyUpstream = {
  id: 'convintel',
  title: 'Conversation intelligence',
  key: {
    header: 'authorization',
    scheme: 'Bearer',
    refuse: () => ({ status: 401, body: errorBody(unauthorized()) }),
  },
  failure: dialledError,
  mount(app, context) {
    // A key belongs to one organization, and opens nothing of another.
    const organizations = new Map<string, Organization>();
    const organizationOf = (key: string): Organization => {
      const organization =
        organizations.get(key) ?? seededOrganization(key, regionOf(key), context.clock.now());
      organizations.set(key, organization);
      return organization;
    };
    const limiter = createRateLimiter(context.clock);
    app.setNotFoundHandler((_request, reply) => reply.code(404).send(errorBody(notFound('Route'))));
    for (const at of REGIONS) {
      for (const endpoint of ENDPOINTS)
        addEndpoint(app, endpoint, { ...at, context, limiter, organizationOf });
    }
    return {
      reset() {
        organizations.clear();
        limiter.reset();
      },
    };
  },
};
