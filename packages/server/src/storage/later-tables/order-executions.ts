import { sql } from 'kysely';
import type { Migrating } from '../first-tables/owned.js';

const COLUMNS = `
  id text not null,
  application_id text not null references applications (id) on delete cascade,
  account_id text not null,
  connection_name text not null,
  kind text not null,
  tool_name text,
  method text,
  status integer not null,
  error_code text,
  upstream_status integer,
  duration_ms integer not null,
  started_at bigint not null,
  request_id text not null`;

/**
 * On SQLite, executions lie in the order in which they are read, in one tree instead of three: half the bytes and half the
 * work. Those of before can be more than a start may wait for; they are moved behind it (executions-of-before-table.ts).
 */
export async function orderExecutions(database: Migrating): Promise<void> {
  const { rows } = await sql`select 1 from executions limit 1`.execute(database);
  await sql
    .raw(
      rows.length === 0 ? 'drop table executions' : 'alter table executions rename to executions_of_before',
    )
    .execute(database);
  await sql
    .raw(`create table executions (${COLUMNS}, primary key (application_id, started_at, id)) without rowid`)
    .execute(database);
}
