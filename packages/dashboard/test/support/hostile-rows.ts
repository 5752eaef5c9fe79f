import { DatabaseSync } from 'node:sqlite';
import { LATENCY_BOUNDS_MS } from '../../../server/src/storage/later-tables/tell-operators.ts';
import { PAYLOADS } from './payloads.ts';

type Row = Readonly<Record<string, string | number | null>>;

/** What rows belong to, and what stands in them: another text at each call. */
interface Hostile {
  readonly n: number;
  /** Who is signed in. */
  readonly operatorId: string;
  readonly applicationId: string;
  /** Of the application. */
  readonly clientSecretId: string;
  readonly text: () => string;
  readonly url: () => string;
  readonly list: () => string;
}

type Owner = Pick<Hostile, 'applicationId' | 'clientSecretId' | 'operatorId'>;

const now = Date.now();
const ofAccount = ({ n, applicationId }: Hostile) => ({
  application_id: applicationId,
  account_id: `acct_hostile${n}`,
});
const ofConnection = ({ n, applicationId }: Hostile) => ({
  application_id: applicationId,
  connection_id: `conn_hostile${n}`,
});
const lasting = { expires_at: now + 3_600_000, replace_subject: 0 };
const STATUSES = ['unauthorized', 'pending_verification', 'authorized', 'reauthorization_required'];

/** One row of each table that holds text of people, applications or upstreams. Those that others belong to come first. */
const ROWS: Readonly<Record<string, (hostile: Hostile) => Row>> = {
  applications: ({ n, text, url, list }) => ({
    id: `app_hostile${n}`,
    name: text(),
    production: n % 2,
    verify_url: url(),
    redirect_urls: list(),
    logo: `data:image/svg+xml,${text()}`,
    created_at: now + n,
  }),
  operators: ({ n, text }) => ({
    id: `op_hostile${n}`,
    name: text(),
    password_hash: 'none',
    role: 'reader',
    created_at: now + n,
    signed_in_at: null,
  }),
  operator_passkeys: ({ n, operatorId, text }) => ({
    id: `key_hostile${n}`,
    operator_id: operatorId,
    credential_id: `hostile${n}`,
    public_key: '',
    counter: 0,
    name: text(),
    created_at: now + n,
    used_at: null,
  }),
  connections: ({ n, applicationId, text, url, list }) => ({
    id: `conn_hostile${n}`,
    application_id: applicationId,
    name: `hostile ${text()}`,
    connector: ['calendar', 'network', 'notesmcp'][n % 3] ?? 'calendar',
    client_id: text(),
    client_issuer: url(),
    scopes: list(),
    base_url: url(),
    region: null,
    hosts: JSON.stringify({ [text()]: url() }),
    authorization_endpoint: url(),
    token_endpoint: url(),
    revocation_endpoint: url(),
    status_reason: text(),
    approve: JSON.stringify({ default: 'never', tools: { [text()]: 'always' } }),
    created_at: now + n,
    updated_at: now + n,
  }),
  client_registrations: (hostile) => ({
    id: `reg_hostile${hostile.n}`,
    ...ofConnection(hostile),
    issuer: hostile.text(),
    redirect_uri: hostile.url(),
    client_id: hostile.text(),
    answer: '',
    created_at: now,
  }),
  accounts: (hostile) => ({
    id: `acct_hostile${hostile.n}`,
    ...ofConnection(hostile),
    identifier: hostile.text(),
    status: STATUSES[hostile.n % STATUSES.length] ?? 'authorized',
    status_reason: hostile.text(),
    scopes: hostile.list(),
    wanted_scopes: hostile.list(),
    subject: hostile.text(),
    issuer: hostile.url(),
    credentials: '{}',
    version: 1,
    created_at: now + hostile.n,
    updated_at: now + hostile.n,
  }),
  authorization_links: (hostile) => ({
    id: `link_hostile${hostile.n}`,
    ...ofAccount(hostile),
    ...lasting,
    token_digest: `hostile${hostile.n}`,
    success_url: hostile.url(),
    failure_url: hostile.url(),
  }),
  authorization_flows: (hostile) => ({
    id: `flow_hostile${hostile.n}`,
    ...ofAccount(hostile),
    ...ofConnection(hostile),
    ...lasting,
    state_digest: `hostile${hostile.n}`,
    browser_digest: '',
    code_verifier: '',
    client_id: hostile.text(),
    issuer: hostile.url(),
    token_endpoint: hostile.url(),
    scopes: hostile.list(),
    success_url: hostile.url(),
    failure_url: hostile.url(),
  }),
  pending_approvals: (hostile) => ({
    id: `pend_hostile${hostile.n}`,
    ...ofAccount(hostile),
    ...ofConnection(hostile),
    ...lasting,
    request_digest: `hostile${hostile.n}`,
    tokens: '',
    token_endpoint: hostile.url(),
    scopes: hostile.list(),
    subject: hostile.text(),
    issuer: hostile.url(),
    success_url: hostile.url(),
    issued_at: now,
  }),
  application_origins: ({ applicationId, url }) => ({ application_id: applicationId, origin: url() }),
  narrowed_tokens: ({ n, applicationId, clientSecretId, text }) => ({
    id: `tok_hostile${n}`,
    application_id: applicationId,
    client_secret_id: clientSecretId,
    kind: n % 2 === 0 ? 'agent' : 'account',
    limits: JSON.stringify({ identifier: text(), connections: [text()], tools: [text()], expiresAt: now }),
    created_at: now + n,
    expires_at: now + 3_600_000,
    revoked_at: null,
  }),
  execution_statistics: ({ n, applicationId, text }) => ({
    application_id: applicationId,
    at: now - n * 60_000,
    connection_name: text(),
    calls: 3,
    errors: 1,
    ...Object.fromEntries(LATENCY_BOUNDS_MS.map((bound) => [`ms${bound}`, bound === 100 ? 3 : 0])),
  }),
  executions: (hostile) => ({
    ...ofAccount(hostile),
    id: `exec_hostile${hostile.n}`,
    connection_name: hostile.text(),
    kind: hostile.n % 2 === 0 ? 'tool' : 'proxy',
    tool_name: hostile.text(),
    method: hostile.text(),
    status: 502,
    error_code: hostile.text(),
    upstream_status: 500,
    duration_ms: 12,
    started_at: now + hostile.n,
    request_id: hostile.text(),
  }),
  audit_events: ({ n, applicationId, text }) => ({
    id: `audit_hostile${n}`,
    at: now + n,
    application_id: applicationId,
    actor: text(),
    action: text(),
    object: text(),
    result: 'refused',
    reason: text(),
    request_id: text(),
    address: text(),
  }),
};

/** Text that only the service itself writes: names of its own, digests, and what is encrypted. */
const OURS: Readonly<Record<string, readonly string[]>> = {
  kysely_migration: ['name', 'timestamp'],
  kysely_migration_lock: ['id'],
  settings: ['name', 'value'],
  client_secrets: ['id', 'application_id', 'digest'],
  access_tokens: ['digest', 'application_id', 'client_secret_id'],
  narrowed_token_calls: ['application_id', 'token_id', 'seal_digest'],
  data_keys: ['id', 'application_id', 'wrapped_key'],
  connections: ['client_secret'],
  accounts: ['access_token', 'refresh_token'],
  operator_sessions: ['digest', 'operator_id', 'signed_in_by'],
  operator_sign_in_links: ['digest', 'operator_id'],
  answered_challenges: ['digest'],
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
    'answer',
  ],
  idempotency_keys: [
    'application_id',
    'key_digest',
    'run_id',
    'fingerprint',
    'answer',
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

const AT_ONCE = 8;
const ROW_COUNT = Math.ceil(PAYLOADS.length / AT_ONCE);

/** The texts of one row: a few payloads each, so that every column has them all over the rows, and many begin one. */
function hostileOf(n: number, owner: Owner): Hostile {
  let column = 0;
  const text = () => {
    column += 1;
    const first = n * AT_ONCE + column;
    const places = Array.from({ length: AT_ONCE }, (_, place) => (first + place) % PAYLOADS.length);
    return places.map((place) => PAYLOADS[place]).join(' ');
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
  const places = names.map(() => '?').join();
  database.prepare(`insert into ${table} (${names.join()}) values (${places})`).run(...Object.values(row));
}

/** Columns of text of which nothing is said here. */
function unknownColumns(database: DatabaseSync): readonly string[] {
  const columns = database.prepare(COLUMNS).all() as unknown as readonly ColumnInfo[];
  return columns
    .filter(({ table, name }) => {
      const written = ROWS[table]?.(hostileOf(0, { applicationId: '', clientSecretId: '', operatorId: '' }));
      return !OURS[table]?.includes(name) && !(written !== undefined && name in written);
    })
    .map(({ table, name }) => `${table}.${name}`);
}

/** Puts every payload into every column of free text; gives the columns that are forgotten here. */
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
