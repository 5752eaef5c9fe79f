import { type Kysely, sql } from 'kysely';

/** Application and connection that other rows reference, with the columns of the first version of the service. */
const OWNERS = [
  "insert into applications (id, name, production, redirect_urls, created_at) values ('app_old', 'Old', 0, '[]', 1)",
  "insert into connections (id, application_id, name, connector, created_at, updated_at) values ('conn_old', 'app_old', 'mail', 'mail', 1, 1)",
];

/** Insert statements of the tables that grow, numbered by `n`, with the columns of the first version of the service. */
const ROWS = {
  accounts: `accounts (id, application_id, connection_id, identifier, status, scopes, credentials, version, created_at, updated_at)
    select 'acct_' || n, 'app_old', 'conn_old', 'user_' || n, 'authorized', '[]', '{}', 1, 1, 1`,
  executions: `executions (id, application_id, account_id, connection_name, kind, status, duration_ms, started_at, request_id, service_version)
    select 'exec_' || n, 'app_old', 'acct_1', 'mail', 'tool', 200, 1, n, 'req_1', '0.0.0'`,
  idempotency_keys: `idempotency_keys (application_id, key_digest, run_id, fingerprint, lease_until, expires_at)
    select 'app_old', 'key_' || n, 'run_' || n, 'f', 1, 1`,
  audit_events: `audit_events (id, at, actor, action, object, result)
    select 'audit_' || n, n, 'service', 'account.created', 'acct_1', 'done'`,
} as const;

export type GrowingTable = keyof typeof ROWS;
export const GROWING_TABLES = Object.keys(ROWS) as readonly GrowingTable[];

/** SQL statement that adds the rows with the numbers `from` to `to`, inclusive. */
export const addRows = (table: GrowingTable, from: number, to = from): string =>
  `insert into ${ROWS[table]} from (with recursive counted (n) as (select ${from} union all select n + 1 from counted where n < ${to}) select n from counted) as numbers`;

export async function addOwners<Schema>(database: Kysely<Schema>): Promise<void> {
  for (const statement of OWNERS) await sql.raw(statement).execute(database);
}
