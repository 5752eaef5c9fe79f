import type { KeyUpstream } from '../../upstream.js';
import { activityEndpoints } from './activities.js';
import { dialledError, errorBody, notFound, unauthorized } from './api-error.js';
import { addEndpoint, type Call, type Endpoint, ok } from './call.js';
import { insightEndpoints } from './insights.js';
import type { User } from './organization.js';
import { createRateLimiter } from './rate-limit.js';
import { recordEndpoints } from './records.js';
import { REGIONS, regionOf } from './regions.js';
import { type Organization, seededOrganization, type Theme } from './seed.js';
import { sendWebhooks } from './send-webhooks.js';
import { uploadEndpoints } from './upload.js';
import { findTrigger, samplePayload, webhookEndpoints } from './webhooks.js';

const accountEndpoints: readonly Endpoint[] = [
  { verb: 'GET', path: '/me', handle: ({ organization }) => ok(presentOrganization(organization)) },
  { verb: 'GET', path: '/getUsers', handle: ({ organization }) => ok(presentUsers(organization.users)) },
  {
    verb: 'GET',
    path: '/getTriggers',
    handle: ({ organization }) => ok(organization.themes.map(presentTheme)),
  },
];

function presentOrganization({ id, region }: Call['organization']) {
  const isEuropean = region === 'eu';
  return {
    id,
    name: isEuropean ? 'Analytical Engines GmbH' : 'Analytical Engines Ltd',
    domain: isEuropean ? 'engines.example.de' : 'engines.example.com',
    crmIntegration: 'salesforce',
    calendarType: 'google',
    address: isEuropean ? 'Invalidenstraße 1, Berlin' : '12 St James’s Square, London',
  };
}

function presentUsers(users: readonly User[]) {
  return { data: users, links: { first: null, last: null, prev: null, next: null } };
}

function presentTheme({ id, name, topics }: Theme) {
  return {
    id,
    theme: name,
    topics: topics.map((topic) => ({ id: topic.id, topic: topic.name, triggers: topic.triggers })),
  };
}

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
    // Each key gets its own organization, so that a key cannot read the data of another key.
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
      sendWebhooks: async (name) => {
        const trigger = findTrigger(name);
        const now = context.clock.now();
        const counts = [...organizations.values()].map((organization) =>
          sendWebhooks(organization, trigger, samplePayload(trigger, organization, now)),
        );
        return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
      },
      reset() {
        organizations.clear();
        limiter.reset();
      },
    };
  },
};
