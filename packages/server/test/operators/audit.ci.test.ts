import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createApprovals } from '../../src/assembly/approvals.js';
import type { Parts } from '../../src/assembly/parts.js';
import { createDisableEndpoint } from '../../src/events/disable-endpoint.js';
import { createPauseEndpoint } from '../../src/events/pause-endpoint.js';
import { AUDIT_ACTIONS, type AuditAction } from '../../src/names/audit-actions.js';
import type { Database } from '../../src/storage/schema.js';
import type { AuditStep, AuditWorld } from '../support/audit/audit-step.js';
import { AUDIT_STEPS } from '../support/audit/audit-steps.js';
import { readTables } from '../support/databases/read-tables.js';
import { type Reply, signIn } from '../support/service/application.js';
import { signInOperator } from '../support/service/operator.js';
import { startService } from '../support/service/service.js';

let database: Database;

vi.mock(import('../../src/storage/database.js'), async (importActual) => {
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

let parts: Parts;

vi.mock(import('../../src/assembly/parts.js'), async (importActual) => {
  const actual = await importActual();
  return {
    ...actual,
    openParts: async (options) => {
      parts = await actual.openParts(options);
      return parts;
    },
  };
});

let world: AuditWorld;

beforeAll(async () => {
  const service = await startService({ connectors: ['workspace', 'convintel'] });
  const { password } = await service.app.operators.create('ada', 'owner');
  world = {
    service,
    parts,
    keys: parts.core.keys,
    storage: parts.storage,
    approvals: createApprovals({
      ...parts,
      ...parts.core,
      caller: parts.callers.current,
      connectors: parts.catalog.connectors,
      environmentUrl: service.url,
      random: randomBytes,
    }),
    events: {
      disableEndpoint: createDisableEndpoint({ ...parts, ...parts.core }),
      pauseEndpoint: createPauseEndpoint({
        ...parts,
        ...parts.core,
        onPause: () => undefined,
      }),
    },
    operator: await signInOperator({ url: service.url, name: 'ada', password }),
    password,
    application: await signIn(service),
    made: {},
  };
});
afterAll(() => world.service.stop());

/**
 * Audit events that no database change accompanies: a lasting failure, and a change of an upstream's tools.
 * src/connections/refresh-failure.test.ts and every-scrapermcp-tool.ci.test.ts test them.
 */
const WITHOUT_CHANGE: readonly AuditAction[] = ['account.refresh_failing', 'connection.tools_changed'];

test('L2: the steps of this test cover every action of the audit log', () => {
  const actions = [...AUDIT_STEPS.map(({ action }) => action), ...WITHOUT_CHANGE];
  expect(actions.sort()).toEqual([...AUDIT_ACTIONS].sort());
});

const eventsOf = (action: string) =>
  database
    .selectFrom('auditEvents')
    .selectAll()
    .where('action', '=', action)
    .orderBy('at')
    .orderBy('id')
    .execute();

// Tables that a request writes even if its action fails: executions, access tokens and counters of rate limits.
const UNAUDITED = [
  'executions',
  'execution_statistics',
  'failed_requests',
  'named_users',
  'access_tokens',
  'rate_buckets',
  'instances',
];
const UNAUDITED_COLUMNS: NonNullable<AuditStep['apart']> = {
  operator_sessions: 'usedAt',
  accounts: 'usedAt',
};

/** Names of settings that the background deletion of old rows writes at any time, not because of the tested action. */
const OF_RETENTION = ['retention', 'audit_kept_from'];

async function rowsOfAll({ apart }: AuditStep): Promise<Readonly<Record<string, readonly string[]>>> {
  const tables = Object.entries(await readTables(database)).filter(([name]) => !UNAUDITED.includes(name));
  return Object.fromEntries(
    tables.map(([name, rows]) => {
      const skipped = [UNAUDITED_COLUMNS[name], apart?.[name]];
      const without = (column: string, value: unknown) => (skipped.includes(column) ? undefined : value);
      // True for a row of a setting in OF_RETENTION, which the comparison skips. Sorts the other rows below, because a
      // write that was rolled back may change their order.
      const isOfRetention = (row: unknown) =>
        OF_RETENTION.some((key) => JSON.stringify(row).includes(`"name":"${key}"`));
      const compared = rows.filter((row) => name !== 'settings' || !isOfRetention(row));
      return [name, compared.map((row) => JSON.stringify(row, without)).sort()];
    }),
  );
}

async function isPostgres(): Promise<boolean> {
  return sql`select version()`.execute(database).then(
    () => true,
    () => false,
  );
}

/** Runs `work` while a database trigger rejects every insert of this audit event. */
async function withoutEvent(action: AuditAction, work: () => Promise<void>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(database);
  const onPostgres = await isPostgres();
  const trigger = `create trigger no_event before insert on audit_events for each row when (new.action = '${action}')`;
  if (onPostgres) {
    await run(
      "create or replace function no_event() returns trigger language plpgsql as $$ begin raise exception 'no event'; end $$",
    );
    await run(`${trigger} execute function no_event()`);
  } else {
    await run(`${trigger} begin select raise(abort, 'no event'); end`);
  }
  try {
    await work();
  } finally {
    await run(onPostgres ? 'drop trigger no_event on audit_events' : 'drop trigger no_event');
  }
}

const statusOf = (performing: Promise<Reply | undefined>): Promise<number> =>
  performing.then(
    (reply) => reply?.status ?? 200,
    () => 500,
  );

test.each(AUDIT_STEPS)(
  'L1, L2: $action changes nothing without its event, and writes one event',
  async (step) => {
    const { action, prepare, perform, actor, applicationId, object, result = 'done', changesNothing } = step;
    await prepare?.(world);
    if (changesNothing === undefined) {
      const rows = await rowsOfAll(step);
      await withoutEvent(action, async () => {
        expect({ action, status: await statusOf(perform(world)) }).toEqual({ action, status: 500 });
        expect(await rowsOfAll(step)).toEqual(rows);
      });
    }
    const before = await eventsOf(action);
    const reply = await perform(world);
    await expect.poll(() => eventsOf(action)).toHaveLength(before.length + 1);
    const known = before.map(({ id }) => id);
    expect((await eventsOf(action)).filter(({ id }) => !known.includes(id))).toEqual([
      {
        id: expect.stringMatching(/^audit_/),
        at: expect.closeTo(Date.now(), -5),
        applicationId: applicationId(world),
        actor: actor(world),
        action,
        object: expect.stringMatching(object),
        result,
        reason: expect.toBeOneOf([null, expect.any(String)]),
        requestId: reply === undefined ? null : reply.headers.get('svc-request-id'),
        address: reply === undefined ? null : '127.0.0.1',
      },
    ]);
  },
);

test('L1: an event cannot be changed or deleted, not even by the service', async () => {
  const before = await database.selectFrom('auditEvents').selectAll().orderBy('id').execute();
  expect(before.length).toBeGreaterThanOrEqual(AUDIT_STEPS.length);
  await expect(database.updateTable('auditEvents').set({ actor: 'nobody' }).execute()).rejects.toThrow();
  await expect(database.deleteFrom('auditEvents').execute()).rejects.toThrow();
  expect(await database.selectFrom('auditEvents').selectAll().orderBy('id').execute()).toEqual(before);
});
