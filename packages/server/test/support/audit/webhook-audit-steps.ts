import { randomBytes } from 'node:crypto';
import { approve, createBrowser } from '@svc/sandbox';
import { expect, vi } from 'vitest';
import { ServiceError } from '../../../src/errors.js';
import { createEndSubscriptions } from '../../../src/subscriptions/end-subscriptions.js';
import { fetchReply } from '../service/application.js';
import { type AuditStep, type AuditWorld, byApplication, byService, ownId } from './audit-step.js';

const ENDPOINT = /^ep_/;
const ALL = '/v1/webhook-endpoints';
// Uses an event type that no other step causes, so that no background delivery to the endpoint changes rows during a
// step.
const BODY = { url: 'https://hooks.example.com/svc', types: ['endpoint.disabled'], enabled: false };

const SUBSCRIPTION = /^sub_/;
const SUBSCRIPTIONS = '/v1/connections/convintel/accounts/ada/webhooks';
const TRIGGER = 'conversation_processed';

const one = ({ made }: AuditWorld) => `${ALL}/${made['endpoint']}`;

/** Consents as the user `mary`, and stores the URL and cookie with which the browser would open the OAuth callback. */
async function reachCallback({ service, made }: AuditWorld): Promise<void> {
  await service.app.applications.change(service.clientId, { verifyUrl: 'https://acme.example.com/verify' });
  const { link } = await service.svc.getAuthorizationLink({
    connectionName: 'workspace',
    identifier: 'mary',
  });
  const browser = createBrowser();
  const stopAt = (address: string) => address.startsWith(`${service.url}/sso/`);
  const { url } = await approve(link, { user: 'ada', browser, stopAt });
  made['callback'] = url;
  made['cookie'] = browser.cookies.header(new URL(url), { method: 'GET', sameSite: false });
}

/** Connects an account of the conversation intelligence connector `convintel`, which supports webhooks. */
async function connectWithKey({ application, made }: AuditWorld): Promise<void> {
  const body = { bearerToken: 'sandbox-audit' };
  const reply = await application.call('PUT', '/v1/connections/convintel/accounts/ada', { body });
  made['subscribed'] = reply.json<{ id: string }>().id;
}

/** Ends the webhook subscriptions of the account while calls to its upstream fail. */
async function endWhileUpstreamFails({ service, parts, made }: AuditWorld): Promise<void> {
  const endSubscriptions = createEndSubscriptions({
    ...parts,
    commit: parts.core.commit,
    execute: async () => {
      throw new ServiceError('upstream_failed', 'The upstream failed.');
    },
    random: randomBytes,
  });
  const id = made['subscribed'] ?? '';
  await endSubscriptions({ applicationId: service.clientId, id, connector: 'convintel' });
}

/**
 * Deletes the delivery of the test event after its first attempt, because further attempts change rows during a step.
 */
async function discardTest({ application, service, storage, made }: AuditWorld): Promise<void> {
  await vi.waitFor(async () => {
    const delivery = await application.call('GET', `/v1/deliveries/${made['tested']}`);
    expect(delivery.json()).toMatchObject({ attemptCount: 1 });
  }, 20_000);
  await storage.eventDeliveries.deleteSome(service.clientId, {
    endpointId: made['endpoint'] ?? '',
    most: 10,
  });
}

/**
 * Audited actions of webhook endpoints, deliveries and webhook subscriptions, and of a consent that waits for its
 * verification.
 */
export const WEBHOOK_AUDIT_STEPS: readonly AuditStep[] = [
  {
    ...byApplication('account.pending_verification', /^acct_/, ({ made }) =>
      fetchReply(made['callback'] ?? '', { headers: { cookie: made['cookie'] ?? '' } }),
    ),
    prepare: reachCallback,
    actor: () => 'user',
    // An OAuth callback can be used only once, so the action cannot be repeated after a failed write of the event.
    changesNothing: true,
  },
  byApplication('webhook_endpoint.created', ENDPOINT, async ({ application, made }) => {
    const reply = await application.call('POST', ALL, { body: BODY });
    if (reply.status === 201) made['endpoint'] = reply.json<{ id: string }>().id;
    return reply;
  }),
  byApplication('webhook_endpoint.changed', ENDPOINT, (world) =>
    world.application.call('PATCH', one(world), { body: { enabled: true } }),
  ),
  byApplication('webhook_endpoint.secret_rotated', ENDPOINT, (world) =>
    world.application.call('POST', `${one(world)}/rotate-secret`),
  ),
  byApplication('webhook_endpoint.tested', ENDPOINT, async (world) => {
    const reply = await world.application.call('POST', `${one(world)}/test`);
    if (reply.status === 200) world.made['tested'] = reply.json<{ id: string }>().id;
    return reply;
  }),
  {
    ...byService(
      'webhook_endpoint.paused',
      ENDPOINT,
      async ({ events, service: { clientId }, storage, made }) => {
        const endpoint = await storage.webhookEndpoints.find(clientId, made['endpoint'] ?? '');
        if (endpoint) await events.pauseEndpoint(endpoint);
      },
    ),
    prepare: discardTest,
    applicationId: ownId,
  },
  {
    ...byService(
      'webhook_endpoint.disabled',
      ENDPOINT,
      async ({ events, service: { clientId }, storage, made }) => {
        const endpoint = await storage.webhookEndpoints.find(clientId, made['endpoint'] ?? '');
        if (endpoint) await events.disableEndpoint(endpoint, 'gone');
      },
    ),
    applicationId: ownId,
  },
  {
    ...byApplication('event_delivery.resent', /^dlv_/, ({ application, made }) =>
      application.call('POST', `/v1/deliveries/${made['delivery']}/resend`),
    ),
    prepare: async ({ application, service, storage, made }) => {
      const own = { applicationId: service.clientId, at: 1, accountId: null } as const;
      const event = { ...own, id: 'evt_audit', type: 'endpoint.disabled', connectionName: null } as const;
      await storage.events.insert([{ ...event, position: 1, body: '{}', payload: null }]);
      const delivery = { id: 'dlv_audit', endpointId: made['endpoint'] ?? '', eventId: event.id };
      await storage.eventDeliveries.insert([
        {
          ...delivery,
          applicationId: service.clientId,
          position: 1,
          type: 'endpoint.disabled',
          accountId: null,
          state: 'failed',
          attempts: 10,
          nextAt: null,
          claim: null,
          log: '[]',
          createdAt: 1,
          endedAt: 2,
        },
      ]);
      made['delivery'] = delivery.id;
      await application.call('PATCH', `${ALL}/${made['endpoint']}`, { body: { enabled: true } });
    },
  },
  {
    ...byApplication('webhook_endpoint.deleted', ENDPOINT, (world) =>
      world.application.call('DELETE', one(world)),
    ),
    prepare: async (world) => {
      // Waits until the background delivery has stored the failed attempt of the resent delivery, because that changes
      // rows.
      const { application, made } = world;
      await vi.waitFor(async () => {
        const delivery = await application.call('GET', `/v1/deliveries/${made['delivery']}`);
        expect(delivery.json()).toMatchObject({ attemptCount: 1 });
      }, 20_000);
      await application.call('PATCH', one(world), { body: { enabled: false } });
    },
  },
  {
    ...byApplication('webhook_subscription.created', SUBSCRIPTION, async ({ application, made }) => {
      const reply = await application.call('POST', SUBSCRIPTIONS, { body: { trigger: TRIGGER } });
      if (reply.status === 201) made['subscription'] = reply.json<{ id: string }>().id;
      return reply;
    }),
    prepare: connectWithKey,
  },
  byApplication('webhook_subscription.deleted', SUBSCRIPTION, ({ application, made }) =>
    application.call('DELETE', `${SUBSCRIPTIONS}/${made['subscription']}`),
  ),
  {
    ...byService('webhook_subscription.left_upstream', SUBSCRIPTION, endWhileUpstreamFails),
    prepare: ({ application }) => application.call('POST', SUBSCRIPTIONS, { body: { trigger: TRIGGER } }),
    applicationId: ownId,
    result: 'refused',
  },
];
