import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { AUDIT_ACTIONS, type AuditAction } from '../src/accounts/commit.js';
import type { Database } from '../src/storage/database.js';
import { type Application, fetchReply, type Reply, signIn } from './application.js';
import { type SignedInOperator, signInOperator } from './operator.js';
import { type Service, startService } from './service.js';
import { readTables } from './support/read-tables.js';

let database: Database;

vi.mock(import('../src/storage/database.js'), async (importActual) => {
  const actual = await importActual();
  return {
    ...actual,
    openDatabase: async (source) => {
      const opened = await actual.openDatabase(source);
      database = opened.database;
      return opened;
    },
  };
});

let service: Service;
let operator: SignedInOperator;
let application: Application;
let password: string;
const made: Record<string, string> = {};

beforeAll(async () => {
  service = await startService({ connectors: [] });
  ({ password } = await service.app.operators.create('ada'));
  operator = await signInOperator({ url: service.url, name: 'ada', password });
  application = await signIn(service);
});
afterAll(() => service.stop());

interface Step {
  readonly action: AuditAction;
  readonly perform: () => Promise<Reply | undefined>;
  readonly actor: () => string;
  readonly applicationId?: () => string | null;
  readonly object: RegExp;
  readonly result?: 'refused';
  /** It tells of something that changes nothing, so that it cannot undo it either. */
  readonly changesNothing?: true;
}

const ACCOUNT = '/v1/connections/calls/accounts/ada';
const OPERATOR = () => 'operator:ada';
const OWN = () => service.clientId;
const NEW = () => made['application'] ?? '';
const none = () => null;

/** The reply, with the id of what it made kept under this name. */
async function keep(name: string, calling: Promise<Reply>): Promise<Reply> {
  const reply = await calling;
  if (reply.status < 300) made[name] = reply.json<{ id: string }>().id;
  return reply;
}

const session = (method: string, sent: string) =>
  fetchReply(`${service.url}/v1/operator/session`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'ada', password: sent }),
  });

const byOperator = (action: AuditAction, object: RegExp, perform: Step['perform']): Step => ({
  action,
  object,
  perform,
  actor: OPERATOR,
  applicationId: NEW,
});
const byApplication = (action: AuditAction, object: RegExp, perform: Step['perform']): Step => ({
  action,
  object,
  perform,
  actor: OWN,
  applicationId: OWN,
});
/** Of a command: nobody's request, from nowhere. */
const byService = (action: AuditAction, perform: () => Promise<unknown>): Step => ({
  action,
  object: /^op/,
  perform: async () => {
    await perform();
    return undefined;
  },
  actor: () => 'service',
  applicationId: none,
});

/** In this order, each with what those before have made. */
const STEPS: readonly Step[] = [
  byOperator('application.created', /^app_/, () =>
    keep('application', operator.call('POST', '/applications', { body: { name: 'Notes' } })),
  ),
  byOperator('application.changed', /^app_/, () =>
    operator.call('PATCH', `/applications/${made['application']}`, { body: { name: 'Other' } }),
  ),
  byOperator('client_secret.created', /^secret_/, () =>
    keep('secret', operator.call('POST', `/applications/${made['application']}/client-secrets`)),
  ),
  byOperator('client_secret.revoked', /^secret_/, () =>
    operator.call('DELETE', `/applications/${made['application']}/client-secrets/${made['secret']}`),
  ),
  byOperator('application.deleted', /^app_/, () =>
    operator.call('DELETE', `/applications/${made['application']}`),
  ),
  byApplication('connection.created', /^conn_/, () =>
    application.call('POST', '/v1/connections', {
      body: { connectionName: 'calls', connector: 'convintel', baseUrl: 'https://10.0.0.1' },
    }),
  ),
  byApplication('connection.changed', /^conn_/, () =>
    application.call('PATCH', '/v1/connections/calls', { body: { baseUrl: 'https://10.0.0.2' } }),
  ),
  byApplication('account.created', /^acct_/, () => application.call('PUT', ACCOUNT)),
  byApplication('data_key.created', /^key_/, () =>
    application.call('PUT', ACCOUNT, { body: { bearerToken: 'sandbox-token' } }),
  ),
  byApplication('account.secrets_changed', /^acct_/, () =>
    application.call('PUT', ACCOUNT, { body: { bearerToken: 'sandbox-token-2' } }),
  ),
  {
    ...byApplication('account.authorized', /^acct_/, () =>
      application.call('PUT', '/v1/connections/calls/accounts/eve', {
        body: { bearerToken: 'sandbox-token' },
      }),
    ),
    // The account itself is made before, and told of by itself.
    changesNothing: true,
  },
  {
    ...byApplication('address.refused', /^10\.0\.0\.2$/, () =>
      application.call('GET', '/v1/proxy/calls/ada/users'),
    ),
    result: 'refused',
    changesNothing: true,
  },
  byApplication('account.deleted', /^acct_/, () => application.call('DELETE', ACCOUNT)),
  {
    action: 'operator.sign_in_refused',
    object: /./,
    actor: () => 'user',
    applicationId: none,
    perform: () => session('POST', 'wrong'),
    result: 'refused',
    changesNothing: true,
  },
  {
    action: 'operator.signed_in',
    object: /^op/,
    actor: OPERATOR,
    applicationId: none,
    perform: () => session('POST', password),
  },
  byService('operator.created', () => service.app.operators.create('grace')),
  byService('operator.changed', () => service.app.operators.reset('grace')),
  byService('operator.deleted', () => service.app.operators.delete('grace')),
  {
    ...byApplication('connection.deleted', /^conn_/, async () => {
      await application.call('DELETE', '/v1/connections/calls/accounts/eve');
      return application.call('DELETE', '/v1/connections/calls');
    }),
    changesNothing: true,
  },
  {
    action: 'operator.signed_out',
    object: /^op/,
    actor: OPERATOR,
    applicationId: none,
    perform: () => operator.call('DELETE', '/session'),
  },
];

/** What only a browser, an upstream's refusal or a command brings about; their own tests have these. */
const ELSEWHERE: readonly AuditAction[] = [
  'connection.refused_by_upstream',
  'account.reauthorization_required',
  'account.verified',
  'account.verification_refused',
  'authorization.refused',
  'root_key.rotated',
  'data_key.deleted',
];

test('L2: every action of the audit log is brought about here, but for those that are elsewhere', () => {
  const actions = [...STEPS.map(({ action }) => action), ...ELSEWHERE];
  expect([...AUDIT_ACTIONS].filter((action) => !actions.includes(action))).toEqual([]);
});

const told = (action: string) =>
  database
    .selectFrom('auditEvents')
    .selectAll()
    .where('action', '=', action)
    .orderBy('at')
    .orderBy('id')
    .execute();

// Kept by the side: who is signed in until when, and what ran.
const BESIDE = ['executions', 'access_tokens', 'operator_sessions'];

async function rowsOfAll(): Promise<Readonly<Record<string, unknown>>> {
  const tables = await readTables(database);
  return Object.fromEntries(Object.entries(tables).filter(([name]) => !BESIDE.includes(name)));
}

async function isPostgres(): Promise<boolean> {
  return sql`select version()`.execute(database).then(
    () => true,
    () => false,
  );
}

/** While `work` runs the database takes no audit event. */
async function withoutAudit(work: () => Promise<void>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(database);
  const onPostgres = await isPostgres();
  if (onPostgres) {
    await run(
      "create or replace function no_audit() returns trigger language plpgsql as $$ begin raise exception 'no audit'; end $$",
    );
    await run(
      'create trigger no_audit before insert on audit_events for each row execute function no_audit()',
    );
  } else {
    await run(
      "create trigger no_audit before insert on audit_events begin select raise(abort, 'no audit'); end",
    );
  }
  await work();
  await run(onPostgres ? 'drop trigger no_audit on audit_events' : 'drop trigger no_audit');
}

test.each(STEPS)('L1, L2: $action changes nothing without its event, and is told of once', async (step) => {
  const { action, perform, actor, applicationId, object, result = 'done', changesNothing } = step;
  if (changesNothing === undefined) {
    const before = await rowsOfAll();
    await withoutAudit(async () => {
      const status = await perform().then(
        (reply) => reply?.status ?? 200,
        () => 500,
      );
      expect({ action, status }).toEqual({ action, status: 500 });
      expect(await rowsOfAll()).toEqual(before);
    });
  }
  const before = await told(action);
  const whose = applicationId?.();
  const reply = await perform();
  await vi.waitFor(async () => expect(await told(action)).toHaveLength(before.length + 1));
  const known = before.map(({ id }) => id);
  expect((await told(action)).filter(({ id }) => !known.includes(id))).toEqual([
    {
      id: expect.stringMatching(/^audit_/),
      at: expect.closeTo(Date.now(), -5),
      applicationId: action === 'application.created' ? made['application'] : whose,
      actor: actor(),
      action,
      object: expect.stringMatching(object),
      result,
      reason: expect.toBeOneOf([null, expect.any(String)]),
      requestId: reply === undefined ? null : reply.headers.get('svc-request-id'),
      address: reply === undefined ? null : '127.0.0.1',
    },
  ]);
});

test('L1: an event is never changed or deleted, not even by the service itself', async () => {
  const before = await database.selectFrom('auditEvents').selectAll().orderBy('id').execute();
  expect(before.length).toBeGreaterThan(STEPS.length / 2);
  await expect(database.updateTable('auditEvents').set({ actor: 'nobody' }).execute()).rejects.toThrow();
  await expect(database.deleteFrom('auditEvents').execute()).rejects.toThrow();
  expect(await database.selectFrom('auditEvents').selectAll().orderBy('id').execute()).toEqual(before);
});
