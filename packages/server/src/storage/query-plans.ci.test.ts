import { CamelCasePlugin, type CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { EVERY_QUERY } from '../../test/support/databases/every-query.js';
import { newDatabaseUrl } from '../../test/support/databases/test-database.js';
import { newFolder } from '../../test/support/processes/new-folder.js';
import { openDatabase } from './database.js';
import type { Schema } from './schema.js';
import { createDialect } from './sqlite.js';
import { openFile } from './sqlite-file.js';
import { createStorage, type Storage } from './storage.js';

/** SQL statement with the faults of its query plan. It has none if an index finds all of its rows. */
interface Explained {
  readonly text: string;
  /** Query plan of the database, as text. */
  readonly plan: string;
  readonly faults: readonly string[];
}

interface Explaining {
  readonly storage: Storage;
  /** Returns the query plans of the statements that ran since the last call. */
  readonly explain: () => Promise<readonly Explained[]>;
}

/** Queries that may scan a table, each with its reason. */
const ACCEPTED: Readonly<Record<string, string>> = {
  'operators.list': 'a team is small',
  'operators.firstOwner': 'a team is small',
  'operators.isEmpty': 'it ends with the first row',
  'dataKeys.count': 'a few for each application, for an operator who looks them up',
  'serverFacts.read': 'there are as many migrations as there are',
  'sizes.list': 'for an operator who looks up the size of tables',
  'sizes.oldest': 'for an operator who looks up the size of tables',
  'applications.secrets': 'two that live, and those that were revoked lately',
  'rateBuckets.take': 'its rows are kept for a minute, and locked in one order',
  'instances.heartbeat': 'a fleet is small',
  'instances.list': 'a fleet is small',
};

const IS_EXPLAINABLE = /^\s*(select|insert|update|delete|with)\b/i;
const isSlice = (text: string): boolean => /\blimit\b/i.test(text);

interface Line {
  readonly detail: string;
}

/**
 * Lists the faults in SQLite's query plan: scans of tables and of whole indexes, except those that read only the first
 * rows of an index.
 */
function faultsOfLines(text: string, lines: readonly Line[]): readonly string[] {
  return lines
    .map(({ detail }) => detail)
    .filter((detail) => {
      if (/^USE TEMP B-TREE FOR ORDER BY/.test(detail)) return true;
      if (
        !/^SCAN /.test(detail) ||
        /^SCAN (CONSTANT ROW|json_each|slice|found|\w+ VIRTUAL TABLE)/.test(detail)
      )
        return false;
      return !(/ USING (COVERING )?INDEX /.test(detail) && isSlice(text));
    });
}

async function openExplainingSqlite(): Promise<Explaining> {
  const path = `${newFolder()}/svc.db`;
  await (await openDatabase({ path })).close();
  const file = openFile(path);
  onTestFinished(file.close);
  file.run({ sql: 'pragma foreign_keys = off', parameters: [], inTransaction: false });
  const explained: Explained[] = [];
  const dialect = createDialect(
    {
      run: async (statement) => {
        const { sql } = statement;
        if (IS_EXPLAINABLE.test(sql)) {
          const { rows } = file.run({ ...statement, sql: `explain query plan ${sql}` });
          explained.push({
            text: sql,
            plan: JSON.stringify(rows),
            faults: faultsOfLines(sql, rows as Line[]),
          });
        }
        return file.run(statement);
      },
      close: async () => undefined,
    },
    { path },
  );
  const database = new Kysely<Schema>({ dialect, plugins: [new CamelCasePlugin()] });
  return { storage: createStorage(database), explain: async () => explained.splice(0) };
}

/** Step of a query plan as PostgreSQL's `explain` returns it. */
interface Step {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly Step[];
}

function faultsOfStep(step: Step, isLimited = false): readonly string[] {
  const { 'Node Type': type, 'Relation Name': table, 'Index Name': index, Plans: steps = [] } = step;
  const isScan = type === 'Seq Scan' || (/^Index/.test(type) && !step['Index Cond'] && !isLimited);
  const isFault = isScan || type === 'Sort';
  return [
    ...(isFault ? [`${type} ${index ?? table ?? ''}`] : []),
    ...steps.flatMap((inner) => faultsOfStep(inner, isLimited || type === 'Limit')),
  ];
}

// Settings that make PostgreSQL's planner use an index even for tables with few rows. `replica` disables foreign keys.
const SETTINGS = [
  'enable_seqscan=off',
  'enable_sort=off',
  'enable_bitmapscan=off',
  'session_replication_role=replica',
];

async function openExplainingPostgres(
  connectionString: string,
  settings: readonly string[] = SETTINGS,
): Promise<Explaining> {
  const options = settings.map((setting) => `-c ${setting}`).join(' ');
  const pool = new Pool({ connectionString, options, max: 2 });
  onTestFinished(() => pool.end());
  const compiled: CompiledQuery[] = [];
  const database = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin()],
    log: ({ query }) => {
      compiled.push(query);
    },
  });
  async function explain({ sql, parameters }: CompiledQuery): Promise<Explained> {
    const { rows } = await pool.query(`explain (format json) ${sql}`, [...parameters]);
    const plans: readonly { readonly Plan: Step }[] = rows[0]['QUERY PLAN'];
    return {
      text: sql,
      plan: JSON.stringify(plans),
      faults: plans.flatMap(({ Plan: plan }) => faultsOfStep(plan)),
    };
  }
  return {
    storage: createStorage(database),
    explain: () =>
      Promise.all(
        compiled
          .splice(0)
          .filter(({ sql }) => IS_EXPLAINABLE.test(sql))
          .map(explain),
      ),
  };
}

const openExplaining = async (): Promise<Explaining> => {
  const url = await newDatabaseUrl();
  return url === undefined ? openExplainingSqlite() : openExplainingPostgres(url);
};

test('F5: no statement scans a whole table or index or sorts its rows', async () => {
  const { storage, explain } = await openExplaining();
  const wrong: string[] = [];
  const without: string[] = [];
  for (const [name, methods] of Object.entries(EVERY_QUERY)) {
    for (const [method, execute] of Object.entries(methods)) {
      // Ignores errors of the query, because some tables exist in only one kind of database. The statement is recorded
      // before it fails.
      await (execute as (table: unknown) => Promise<unknown>)(Reflect.get(storage, name)).catch(
        () => undefined,
      );
      const explained = await explain();
      const query = `${name}.${method}`;
      if (explained.length === 0) without.push(query);
      if (query in ACCEPTED) continue;
      wrong.push(
        ...explained.flatMap(({ text, faults }) => faults.map((fault) => `${query}: ${fault} · ${text}`)),
      );
    }
  }
  expect(wrong).toEqual([]);
  expect(without.filter((query) => !/^(freeSpace|rateBuckets|instances)\./.test(query))).toEqual([]);
});

interface Indexed {
  readonly index: string;
  readonly run: (storage: Storage) => Promise<unknown>;
}

const RANGE = { from: 'id_0', to: 'id_f' };
const AFTER = { startedAt: 2, id: 'exec_2' };

test.each<Indexed>([
  {
    index: 'executions_of_account',
    run: ({ executions }) => executions.list('app_1', { accountId: 'acct_1', limit: 10 }),
  },
  {
    index: 'executions_of_account',
    run: ({ executions }) =>
      executions.list('app_1', { accountId: 'acct_1', since: 1, after: AFTER, oldestFirst: true, limit: 10 }),
  },
  {
    index: 'executions_of_account',
    run: ({ executions }) => executions.list('app_1', { accountId: 'acct_1', failed: true, limit: 10 }),
  },
  {
    index: 'executions_of_named_user',
    run: ({ executions }) => executions.list('app_1', { namedUser: 'ada', after: AFTER, limit: 10 }),
  },
  {
    index: 'executions_of_request',
    run: ({ executions }) => executions.listOfRequest('app_1', { requestId: 'req_1', limit: 10 }),
  },
  { index: 'executions_of_request', run: ({ search }) => search.executionsOfRequest(RANGE, 10) },
  { index: 'audit_events_of_request', run: ({ search }) => search.eventsOfRequest(RANGE, 10) },
  { index: 'audit_events_of_request', run: ({ auditEvents }) => auditEvents.listOfRequest('req_1', 10) },
  {
    index: 'audit_events_of_object',
    run: ({ auditEvents }) =>
      auditEvents.list({ applicationId: 'app_1', object: 'acct_1', newestFirst: true, limit: 10 }),
  },
  {
    index: 'webhook_endpoints_troubled',
    run: ({ webhookEndpoints }) =>
      webhookEndpoints.troubled({ applicationId: undefined, failingUntil: 1, limit: 10 }),
  },
  {
    index: 'watches_states',
    run: ({ watches }) => watches.listFailed({ applicationId: 'app_1', limit: 10 }),
  },
  {
    index: 'watches_states',
    run: ({ watches }) => watches.listFailed({ applicationId: undefined, limit: 10 }),
  },
  {
    index: 'event_deliveries_failed',
    run: ({ eventDeliveries }) =>
      eventDeliveries.list('app_1', { state: 'failed', type: 'account.deleted', limit: 10 }),
  },
  {
    index: 'event_deliveries_account',
    run: ({ eventDeliveries }) =>
      eventDeliveries.list('app_1', { accountId: 'acct_1', endpointId: 'ep_1', limit: 10 }),
  },
  {
    index: 'event_deliveries_event',
    run: ({ eventDeliveries }) =>
      eventDeliveries.list('app_1', { eventId: 'evt_1', type: 'account.deleted', limit: 10 }),
  },
  {
    index: 'event_deliveries_endpoint',
    run: ({ eventDeliveries }) =>
      eventDeliveries.list('app_1', { endpointId: 'ep_1', state: 'failed', limit: 10 }),
  },
  {
    index: 'accounts_by_status',
    run: ({ accounts }) => accounts.list('app_1', { status: 'authorized', prefix: 'ada', limit: 10 }),
  },
  {
    index: 'accounts_of_connection_by_status',
    run: ({ accounts }) =>
      accounts.list('app_1', { connectionId: 'conn_1', status: 'authorized', prefix: 'ada', limit: 10 }),
  },
  {
    index: 'accounts_untested_by_identifier',
    run: ({ accounts }) => accounts.list('app_1', { notTested: true, refreshFailing: false, limit: 10 }),
  },
  {
    index: 'accounts_untested_by_identifier',
    run: ({ accounts }) =>
      accounts.list('app_1', { connectionId: 'conn_1', status: 'authorized', notTested: true, limit: 10 }),
  },
  {
    index: 'accounts_untested',
    run: ({ accountCounts }) => accountCounts.countUntested({ applicationId: 'app_1', id: 'conn_1' }),
  },
  {
    index: 'accounts_refresh_failing_by_identifier',
    run: ({ accounts }) => accounts.list('app_1', { refreshFailing: true, prefix: 'ada', limit: 10 }),
  },
  {
    index: 'agent_grants_of_user',
    run: ({ agentGrants }) => agentGrants.list('app_1', { identifier: 'ada', limit: 10 }),
  },
  {
    index: 'narrowed_tokens_of_user',
    run: ({ narrowedTokens }) =>
      narrowedTokens.list('app_1', { kind: 'agent', identifier: 'ada', limit: 10 }),
  },
  {
    index: 'call_approvals_account',
    run: ({ callApprovals }) => callApprovals.list('app_1', { accountId: 'acct_1', limit: 10 }),
  },
])('F5: SQLite uses the index $index without statistics of the table', async ({ index, run }) => {
  const { storage, explain } = await openExplainingSqlite();
  await run(storage);
  const explained = await explain();
  expect(explained.map(({ plan }) => plan)).toEqual(explained.map(() => expect.stringContaining(index)));
});

test('F5: PostgreSQL finds the accounts of a user with the unique index, without statistics of the table', async () => {
  const url = await newDatabaseUrl();
  if (url === undefined) return;
  const { storage, explain } = await openExplainingPostgres(url, []);
  const user = { applicationId: 'app_1', connectionId: 'conn_1', identifier: 'ada' };
  await storage.accounts.hasMoreOfUser(user, 20);
  const [{ plan = '' } = {}] = await explain();
  expect(plan).toContain('"Index Name":"accounts_identifier"');
});

test('F5: SQLite finds users by the beginning of their identifiers with an index of each table', async () => {
  const { storage, explain } = await openExplainingSqlite();
  await storage.search.usersByPrefix('ada', 10);
  expect((await explain()).map(({ plan }) => plan)).toEqual([
    expect.stringContaining('accounts_by_identifier_key'),
    expect.stringContaining('named_users_by_key'),
  ]);
});

test('F5: SQLite finds executions by the time in their ids in each application', async () => {
  const { storage, explain } = await openExplainingSqlite();
  await storage.search.executionsById({ ...RANGE, since: 1, until: 2 }, 10);
  const [{ plan = '' } = {}] = await explain();
  expect(plan).toMatch(/executions USING PRIMARY KEY \(application_id=\? AND started_at>/);
});

test('F5: SQLite finds webhook events by their ids in each application', async () => {
  const { storage, explain } = await openExplainingSqlite();
  await storage.search.webhookEventsById(RANGE, 10);
  const [{ plan = '' } = {}] = await explain();
  expect(plan).toMatch(/SEARCH events USING INDEX \w+ \(application_id=\? AND id>/);
});
