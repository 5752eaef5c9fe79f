import { sql } from 'kysely';
import { type AgeName, INDEXED_RULES, SCANNED_RULES } from '../../../src/storage/retention-rules.js';
import type { Database } from '../../../src/storage/schema.js';
import { LATENCY_BOUNDS_MS } from '../../../src/storage/schema.js';

const OWNER = { application_id: 'app_1' };
const NARROWED = { ...OWNER, client_secret_id: 'secret_live', kind: 'agent', limits: '{}', created_at: 1 };
const OF_CLIENT = { ...OWNER, client_id: 'c', client_name: 'c', resource: 'r', limits: '[]' };
const GRANT = { ...OF_CLIENT, identifier: 'ada', generation: 1, created_at: 1, used_at: 1 };
const OF_ACCOUNT = { ...OWNER, account_id: 'acct_1', replace_subject: 0 };

/**
 * Builds a sample row of each table that the retention job cleans, without its time column. `n` makes the keys unique.
 */
const ROWS: Readonly<Record<string, (n: string) => Readonly<Record<string, string | number>>>> = {
  executions: (n) => ({
    ...OWNER,
    id: `exec_${n}`,
    account_id: 'acct_1',
    connection_name: 'mail',
    kind: 'tool',
    status: 200,
    duration_ms: 1,
    request_id: 'req_1',
    service_version: '0.0.0',
  }),
  execution_statistics: (n) => ({
    ...OWNER,
    connection_name: `mail_${n}`,
    calls: 1,
    errors: 0,
    ...Object.fromEntries(LATENCY_BOUNDS_MS.map((bound) => [`ms${bound}`, 0])),
  }),
  audit_events: (n) => ({ id: `audit_${n}`, actor: 'a', action: 'b', object: 'c', result: 'done' }),
  access_tokens: (n) => ({ ...OWNER, digest: `digest_${n}`, client_secret_id: 'secret_live' }),
  narrowed_token_calls: (n) => ({ ...OWNER, token_id: 'tok_live', seal_digest: `seal_${n}`, used: 1 }),
  narrowed_tokens: (n) => ({ ...NARROWED, id: `tok_${n}` }),
  agent_grant_calls: (n) => ({ ...OWNER, token_id: 'grant_live', seal_digest: `seal_${n}`, used: 1 }),
  agent_grants: (n) => ({ ...GRANT, id: `grant_${n}` }),
  agent_sign_ins: (n) => ({
    ...OF_CLIENT,
    id: `asign_${n}`,
    redirect_uri: 'https://r',
    code_challenge: 'c',
    ticket_digest: `ticket_${n}`,
    browser_digest: 'b',
  }),
  authorization_links: (n) => ({ ...OF_ACCOUNT, id: `link_${n}`, token_digest: `token_${n}` }),
  authorization_flows: (n) => ({
    ...OF_ACCOUNT,
    id: `flow_${n}`,
    connection_id: 'conn_1',
    link_id: 'link_1',
    state_digest: `state_${n}`,
    browser_digest: 'b',
    code_verifier: 'v',
    client_id: 'c',
    token_endpoint: 'https://x',
    scopes: '[]',
  }),
  named_users: (n) => ({ ...OWNER, identifier: `user_${n}`, identifier_key: `user_${n}` }),
  failed_requests: (n) => ({
    ...OWNER,
    request_id: `req_${n}`,
    actor: 'app_1',
    operation: 'GET /',
    status: 404,
    error_code: 'not_found',
  }),
  idempotency_keys: (n) => ({
    ...OWNER,
    key_digest: `key_${n}`,
    run_id: `run_${n}`,
    fingerprint: 'f',
    lease_until: 1,
  }),
  call_approvals: (n) => ({
    ...OWNER,
    id: `appr_${n}`,
    account_id: 'acct_1',
    call_key: `call_${n}`,
    tool_name: 'mail_send',
    schema_version: '1.0.0',
    tool_version: '1.0.0',
    caller: 'app_1',
    question: 'q',
    status: 'executed',
    created_at: 1,
  }),
  events: (n) => ({ ...OWNER, id: `evt_${n}`, type: 'account.deleted', body: '{}' }),
  event_leases: (n) => ({ ...OWNER, type: `type_${n}` }),
  webhook_receipts: (n) => ({ ...OWNER, subscription_id: 'sub_1', digest: `digest_${n}` }),
  used_challenges: (n) => ({ digest: `challenge_${n}` }),
  operator_sign_in_links: (n) => ({ digest: `link_${n}`, operator_id: 'op_1' }),
  operator_sessions: (n) => ({
    digest: `session_${n}`,
    operator_id: 'op_1',
    signed_in_by: 'password',
    created_at: 1,
  }),
  client_registrations: (n) => ({
    ...OWNER,
    id: `client_${n}`,
    connection_id: 'conn_1',
    issuer: `https://issuer.example/${n}`,
    redirect_uri: 'https://r',
    client_id: 'c',
    response: 'a',
    created_at: Number.MAX_SAFE_INTEGER,
  }),
  client_secrets: (n) => ({ ...OWNER, id: `secret_${n}`, digest: `secret_${n}`, created_at: 1 }),
  rate_buckets: (n) => ({ key: n, granted: 0 }),
  instances: (n) => ({ id: n, report: '{}' }),
};

export async function insertRow(
  database: Database,
  table: string,
  row: Readonly<Record<string, unknown>>,
): Promise<void> {
  const [columns, values] = [Object.keys(row), Object.values(row)];
  await sql`insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})
    values (${sql.join(values)})`.execute(database);
}

/** Adds the application, connection, account, operator and unexpired tokens that the aged rows reference. */
export async function addOwnersOfAged(database: Database): Promise<void> {
  const times = { created_at: 1, updated_at: 1 };
  await insertRow(database, 'applications', {
    id: 'app_1',
    name: 'A',
    production: 0,
    redirect_urls: '[]',
    created_at: 1,
  });
  await insertRow(database, 'connections', {
    ...OWNER,
    ...times,
    id: 'conn_1',
    name: 'mail',
    connector: 'mail',
  });
  await insertRow(database, 'accounts', {
    ...OWNER,
    ...times,
    id: 'acct_1',
    connection_id: 'conn_1',
    identifier: 'ada',
    status: 'authorized',
    scopes: '[]',
    credentials: '{}',
    version: 1,
    issuer: 'https://issuer.example/used',
  });
  await insertRow(database, 'webhook_subscriptions', {
    ...OWNER,
    id: 'sub_1',
    account_id: 'acct_1',
    connection_id: 'conn_1',
    trigger: 'conversation_processed',
    key_digest: 'key',
    created_at: 1,
  });
  await insertRow(database, 'operators', {
    id: 'op_1',
    name: 'o',
    role: 'owner',
    password_hash: 'h',
    created_at: 1,
  });
  await insertRow(database, 'client_secrets', { ...OWNER, id: 'secret_live', digest: 'live', created_at: 1 });
  await insertRow(database, 'narrowed_tokens', {
    ...NARROWED,
    id: 'tok_live',
    expires_at: Number.MAX_SAFE_INTEGER,
  });
  await insertRow(database, 'agent_grants', {
    ...GRANT,
    id: 'grant_live',
    expires_at: Number.MAX_SAFE_INTEGER,
  });
}

export interface AgedTable {
  readonly title: string;
  readonly table: string;
  readonly key: string;
  readonly age: AgeName | undefined;
  readonly afterMs: number;
  readonly add: (database: Database, n: string, time: number) => Promise<void>;
}

function agedTable(
  { name, table, age, time, afterMs = 0 }: (typeof INDEXED_RULES)[number] | (typeof SCANNED_RULES)[number],
  title = name,
): AgedTable {
  const row = ROWS[table];
  if (row === undefined) throw new Error(`Say what a row of ${table} is.`);
  const [key = ''] = Object.keys(row('')).filter((column) =>
    /^(id|identifier_key|request_id|key|digest|key_digest|seal_digest|connection_name|type)$/.test(column),
  );
  const add = (database: Database, n: string, at: number) =>
    insertRow(database, table, { ...row(n), [time]: at });
  return { title, table, key, age, afterMs, add };
}

/** Every kind of row that the retention job deletes at a certain age, with the age and a function that adds a row. */
export const agedTables = (kind: 'sqlite' | 'postgres'): readonly AgedTable[] => [
  agedTable({
    name: 'executions',
    table: 'executions',
    age: 'executions',
    sliceSize: 1,
    time: 'started_at',
    index: '',
  }),
  ...INDEXED_RULES.map((each) => agedTable(each)),
  ...SCANNED_RULES.filter(({ onlyOn = kind }) => onlyOn === kind).map((each) => agedTable(each)),
];
