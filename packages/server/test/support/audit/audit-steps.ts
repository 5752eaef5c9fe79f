import { vi } from 'vitest';
import type { AuditAction } from '../../../src/names/audit-actions.js';
import { UNUSED_FOR_MS } from '../../../src/vault/retire-data-keys.js';
import { fetchReply, signIn } from '../service/application.js';
import { type Authenticator, createAuthenticator } from '../service/authenticator.js';
import { AGENT_AUDIT_STEPS } from './agent-audit-steps.js';
import { APPROVAL_AUDIT_STEPS } from './approval-audit-steps.js';
import {
  type AuditStep,
  type AuditWorld,
  byApplication,
  byOperator,
  byService,
  madeId,
  nobody,
} from './audit-step.js';
import { UPSTREAM_AUDIT_STEPS } from './upstream-audit-steps.js';
import { WATCH_AUDIT_STEPS } from './watch-audit-steps.js';
import { WEBHOOK_AUDIT_STEPS } from './webhook-audit-steps.js';

const MINUTE_MS = 60_000;
const ACCOUNT = '/v1/connections/calls/accounts/ada';
const OTHER_ACCOUNT = '/v1/connections/calls/accounts/eve';

/** Returns the operator API path of the application that an earlier step has created, or of a resource below it. */
const ofMade = (world: AuditWorld, path = '') => `/applications/${madeId(world)}${path}`;

const APPLICATIONS: readonly AuditStep[] = [
  byOperator('application.created', /^app_/, async ({ operator, made }) => {
    const reply = await operator.call('POST', '/applications', { body: { name: 'Notes' } });
    if (reply.status === 201) {
      const { id, clientSecret } = reply.json<{ id: string; clientSecret: string }>();
      Object.assign(made, { application: id, clientSecret });
    }
    return reply;
  }),
  byOperator('application.changed', /^app_/, (world) =>
    world.operator.call('PATCH', ofMade(world), { body: { name: 'Other' } }),
  ),
  byOperator('client_secret.created', /^secret_/, async (world) => {
    const reply = await world.operator.call('POST', ofMade(world, '/client-secrets'));
    if (reply.status === 201) world.made['secret'] = reply.json<{ id: string }>().id;
    return reply;
  }),
  byOperator('client_secret.revoked', /^secret_/, (world) =>
    world.operator.call('DELETE', ofMade(world, `/client-secrets/${world.made['secret']}`)),
  ),
];

const CONNECTION = { connectionName: 'calendar', connector: 'calendar', clientId: 'x', clientSecret: 'y' };

/**
 * Runs `work` with the clock set back, so that a data key which `work` replaces has been unused for `UNUSED_FOR_MS` and
 * can be deleted.
 */
async function longAgo(work: () => Promise<unknown>): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - UNUSED_FOR_MS - MINUTE_MS });
  try {
    await work();
  } finally {
    vi.useRealTimers();
  }
}

/**
 * Deletes the application's connection and client secrets. Deleting the application with them would write further audit
 * events.
 */
async function emptyMade(world: AuditWorld): Promise<void> {
  const { applications, connections } = world.service.app;
  await connections.delete(madeId(world), 'calendar');
  for (const { id, revokedAt } of await applications.listClientSecrets(madeId(world))) {
    if (revokedAt === null) await applications.revokeClientSecret(madeId(world), id);
  }
}

const KEYS: readonly AuditStep[] = [
  {
    // Storing the first secret of an application creates its first data key.
    ...byApplication('data_key.created', /^key_/, async ({ service, made }) => {
      const credentials = {
        clientId: made['application'] ?? '',
        clientSecret: made['clientSecret'] ?? '',
      };
      const { call } = await signIn({ url: service.url, ...credentials });
      return call('POST', '/v1/connections', { body: CONNECTION });
    }),
    actor: madeId,
    applicationId: madeId,
  },
  {
    ...byService('root_key.rotated', /^[0-9a-f]{16}$/, ({ keys }) => keys.rotateRootKey({ makeKey: true })),
    // A rotation re-wraps each data key in its own transaction, and the pepper last. The event is written with the
    // pepper's change, so re-wrapped data keys remain if it fails.
    apart: { data_keys: 'wrappedKey' },
  },
  {
    ...byService('data_key.deleted', /^key_/, (world) => world.keys.finish(madeId(world))),
    prepare: (world) => longAgo(() => world.keys.rotate(madeId(world))),
    applicationId: madeId,
  },
  {
    ...byOperator('application.deleted', /^app_/, (world) => world.operator.call('DELETE', ofMade(world))),
    prepare: emptyMade,
  },
];

const ACCOUNTS: readonly AuditStep[] = [
  byApplication('connection.created', /^conn_/, ({ application }) =>
    application.call('POST', '/v1/connections', {
      body: { connectionName: 'calls', connector: 'convintel', baseUrl: 'https://10.0.0.1' },
    }),
  ),
  byApplication('connection.changed', /^conn_/, ({ application }) =>
    application.call('PATCH', '/v1/connections/calls', { body: { baseUrl: 'https://10.0.0.2' } }),
  ),
  {
    ...byApplication('connection.checked', /^conn_/, ({ application }) =>
      application.call('POST', '/v1/connections/keyed/check'),
    ),
    prepare: ({ application }) =>
      application.call('POST', '/v1/connections', {
        body: { connectionName: 'keyed', connector: 'convintel', baseUrl: 'https://10.0.0.3' },
      }),
    // The connection check only sends a request to the upstream and changes no row, so no rollback can be tested.
    changesNothing: true,
  },
  byApplication('account.created', /^acct_/, ({ application }) => application.call('PUT', ACCOUNT)),
  {
    ...byApplication('account.authorized', /^acct_/, ({ application }) =>
      application.call('PUT', OTHER_ACCOUNT, { body: { bearerToken: 'sandbox-token', verify: false } }),
    ),
    prepare: ({ application }) => application.call('PUT', OTHER_ACCOUNT),
  },
  {
    ...byApplication('account.secrets_changed', /^acct_/, ({ application }) =>
      application.call('PUT', ACCOUNT, { body: { bearerToken: 'sandbox-token-2', verify: false } }),
    ),
    prepare: ({ application }) =>
      application.call('PUT', ACCOUNT, { body: { bearerToken: 'sandbox-token', verify: false } }),
  },
  byApplication('account.details_changed', /^acct_/, ({ application }) =>
    application.call('PUT', ACCOUNT, { body: { tags: ['vip'] } }),
  ),
  {
    ...byApplication('address.refused', /^10\.0\.0\.2$/, ({ application }) =>
      application.call('GET', '/v1/proxy/calls/ada/users'),
    ),
    result: 'refused',
    // The proxy refuses the request and writes no row except the execution, so no rollback can be tested.
    changesNothing: true,
  },
  byApplication('account.revoked', /^acct_/, ({ application }) =>
    application.call('POST', `${ACCOUNT}/revoke`),
  ),
  byApplication('account.deleted', /^acct_/, ({ application }) => application.call('DELETE', ACCOUNT)),
  {
    ...byApplication('connection.deleted', /^conn_/, ({ application }) =>
      application.call('DELETE', '/v1/connections/calls'),
    ),
    prepare: ({ application }) => application.call('DELETE', OTHER_ACCOUNT),
  },
];

const TOKENS: readonly AuditStep[] = (['account', 'agent'] as const).flatMap((kind) => [
  byApplication(`${kind}_token.created`, /^tok_/, async ({ application, made }) => {
    const body = { identifier: 'ada', expiresIn: 60 };
    const reply = await application.call('POST', `/v1/${kind}-tokens`, { body });
    if (reply.status === 201) made[kind] = reply.json<{ id: string }>().id;
    return reply;
  }),
  byApplication(`${kind}_token.revoked`, /^tok_/, ({ application, made }) =>
    application.call('DELETE', `/v1/${kind}-tokens/${made[kind]}`),
  ),
]);

const openSession = ({ service }: AuditWorld, password: string) =>
  fetchReply(`${service.url}/operator/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'ada', password }),
  });

/** Registers a passkey in two requests, as a browser does: get the options, then send the new credential. */
async function addPasskey({ operator, service }: AuditWorld) {
  const begun = await operator.call('POST', '/session/passkeys/options', { body: {} });
  const [cookie = ''] = (begun.headers.get('set-cookie') ?? '').split(';');
  const { options } = begun.json<{ options: Parameters<Authenticator['create']>[0] }>();
  const credential = createAuthenticator().create(options, { origin: service.url });
  return operator.call('POST', '/session/passkeys', {
    body: { name: 'Phone', credential },
    headers: { cookie: `${operator.cookie}; ${cookie}` },
  });
}

const ofOperators = (action: AuditAction, perform: AuditStep['perform']): AuditStep => ({
  ...byOperator(action, /^op_/, perform),
  applicationId: nobody,
});

const PASSKEYS: readonly AuditStep[] = [
  ofOperators('operator.passkey_added', addPasskey),
  ofOperators('operator.passkey_removed', async ({ operator }) => {
    const { items } = (await operator.call('GET', '/session/passkeys')).json<{ items: { id: string }[] }>();
    return operator.call('DELETE', `/session/passkeys/${items[0]?.id}`);
  }),
];

const OPERATORS: readonly AuditStep[] = [
  {
    ...byOperator('operator.sign_in_refused', /^op_/, (world) => openSession(world, 'wrong')),
    actor: () => 'user',
    applicationId: nobody,
    result: 'refused',
    // A refused sign-in changes no row, because failures are counted in memory. No rollback can be tested.
    changesNothing: true,
  },
  {
    ...byOperator('operator.signed_in', /^op_/, (world) => openSession(world, world.password)),
    applicationId: nobody,
  },
  ...PASSKEYS,
  byService('operator.created', /^op_/, ({ service }) => service.app.operators.create('grace', 'owner')),
  ofOperators('operator.link_created', ({ operator }) =>
    operator.call('POST', '/operators/grace/sign-in-link'),
  ),
  ofOperators('operator.changed', ({ operator }) =>
    operator.call('PATCH', '/operators/grace', { body: { role: 'reader' } }),
  ),
  ofOperators('operator.deleted', ({ operator }) => operator.call('DELETE', '/operators/grace')),
  {
    ...byOperator('operator.signed_out', /^op_/, ({ operator }) => operator.call('DELETE', '/session')),
    applicationId: nobody,
  },
];

/**
 * Steps of the audit test, one for each action that the audit log can contain. Later steps use objects that earlier
 * steps have created.
 */
export const AUDIT_STEPS: readonly AuditStep[] = [
  ...APPLICATIONS,
  ...KEYS,
  ...ACCOUNTS,
  ...APPROVAL_AUDIT_STEPS,
  ...TOKENS,
  ...AGENT_AUDIT_STEPS,
  ...WEBHOOK_AUDIT_STEPS,
  ...WATCH_AUDIT_STEPS,
  ...UPSTREAM_AUDIT_STEPS,
  ...OPERATORS,
];
