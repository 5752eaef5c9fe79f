import { DatabaseSync } from 'node:sqlite';
import { type Hostile, ROWS, type Row } from './hostile-rows.ts';
import { PAYLOADS } from './payloads.ts';

type Owner = Pick<Hostile, 'applicationId' | 'clientSecretId' | 'operatorId'>;

/** Text columns that only the service writes: its own names, digests and encrypted values. */
const SAFE_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  kysely_migration: ['name', 'timestamp'],
  kysely_migration_lock: ['id'],
  settings: ['name', 'value'],
  client_secrets: ['id', 'application_id', 'digest'],
  access_tokens: ['digest', 'application_id', 'client_secret_id'],
  agent_accesses: ['client_secret'],
  agent_grant_calls: ['application_id', 'token_id', 'seal_digest'],
  narrowed_token_calls: ['application_id', 'token_id', 'seal_digest'],
  data_keys: ['id', 'application_id', 'wrapped_key'],
  webhook_endpoints: ['disabled_reason', 'secret', 'previous_secret'],
  event_deliveries: ['claim'],
  event_leases: ['application_id', 'type'],
  events: ['payload'],
  webhook_receipts: ['application_id', 'subscription_id', 'digest'],
  failed_requests: ['execution_id'],
  watches: ['input', 'cursor', 'claim', 'watch_key', 'state'],
  watch_items: ['item_key', 'version'],
  connections: ['client_secret'],
  accounts: ['access_token', 'refresh_token'],
  operator_sessions: ['digest', 'operator_id', 'signed_in_by'],
  operator_sign_in_links: ['digest', 'operator_id'],
  used_challenges: ['digest'],
  call_approvals: [
    'id',
    'application_id',
    'account_id',
    'call_key',
    'tool_name',
    'schema_version',
    'tool_version',
    'caller',
    'question',
    'status',
    'decided_by',
    'reason',
    'execution_id',
    'result',
  ],
  idempotency_keys: [
    'application_id',
    'key_digest',
    'run_id',
    'fingerprint',
    'response',
    'account_id',
    'connection_id',
  ],
};

interface ColumnInfo {
  readonly table: string;
  readonly name: string;
}

const COLUMNS = `select tables.name as "table", columns.name as name
  from sqlite_master as tables, pragma_table_info(tables.name) as columns
  where tables.type = 'table' and tables.name not like 'sqlite_%'
  and lower(columns.type) in ('text', 'varchar(255)')`;

const PAYLOADS_PER_TEXT = 8;
const ROW_COUNT = Math.ceil(PAYLOADS.length / PAYLOADS_PER_TEXT);

/** The hostile values of one row. Each text contains a few payloads, and the rows together contain all of them. */
function hostileOf(n: number, owner: Owner): Hostile {
  let column = 0;
  const text = () => {
    column += 1;
    const first = n * PAYLOADS_PER_TEXT + column;
    return Array.from(
      { length: PAYLOADS_PER_TEXT },
      (_, index) => PAYLOADS[(first + index) % PAYLOADS.length],
    ).join(' ');
  };
  return {
    n,
    ...owner,
    text,
    url: () => `https://upstream.example/?${text()}`,
    list: () => JSON.stringify([text(), text()]),
  };
}

function write(database: DatabaseSync, table: string, row: Row): void {
  const names = Object.keys(row);
  const placeholders = names.map(() => '?').join();
  database
    .prepare(`insert into ${table} (${names.join()}) values (${placeholders})`)
    .run(...Object.values(row));
}

/** Finds text columns that are neither in `ROWS` nor in `SAFE_COLUMNS`. */
function unknownColumns(database: DatabaseSync): readonly string[] {
  const columns = database.prepare(COLUMNS).all() as unknown as readonly ColumnInfo[];
  return columns
    .filter(({ table, name }) => {
      const written = ROWS[table]?.(hostileOf(0, { applicationId: '', clientSecretId: '', operatorId: '' }));
      return !SAFE_COLUMNS[table]?.includes(name) && !(written !== undefined && name in written);
    })
    .map(({ table, name }) => `${table}.${name}`);
}

/** Writes every payload into every column of free text, and returns the columns without a rule. */
export function writeHostileRows(file: string): readonly string[] {
  const database = new DatabaseSync(file, { timeout: 5000 });
  const idIn = (table: string) => String(database.prepare(`select id from ${table}`).get()?.['id']);
  try {
    const owner = {
      applicationId: idIn('applications'),
      clientSecretId: idIn('client_secrets'),
      operatorId: idIn('operators'),
    };
    for (const [table, row] of Object.entries(ROWS)) {
      for (let n = 0; n < ROW_COUNT; n += 1) write(database, table, row(hostileOf(n, owner)));
    }
    return unknownColumns(database);
  } finally {
    database.close();
  }
}
