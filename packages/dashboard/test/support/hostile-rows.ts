import { LATENCY_BOUNDS_MS } from '../../../server/src/storage/schema.ts';

export type Row = Readonly<Record<string, string | number | null>>;

/** The owners of a row, and functions that return another hostile value at each call. */
export interface Hostile {
  readonly n: number;
  /** The ID of the signed-in operator. */
  readonly operatorId: string;
  readonly applicationId: string;
  readonly clientSecretId: string;
  readonly text: () => string;
  readonly url: () => string;
  readonly list: () => string;
}

const now = Date.now();
const ofAccount = ({ n, applicationId }: Hostile) => ({
  application_id: applicationId,
  account_id: `acct_hostile${n}`,
});
const ofConnection = ({ n, applicationId }: Hostile) => ({
  application_id: applicationId,
  connection_id: `conn_hostile${n}`,
});
const ofClient = ({ applicationId, text, url }: Hostile) => ({
  application_id: applicationId,
  identifier: text(),
  client_id: text(),
  client_name: text(),
  resource: url(),
  limits: '[{}]',
});
const expiry = { expires_at: now + 3_600_000, replace_subject: 0 };
const STATUSES = ['unauthorized', 'pending_verification', 'authorized', 'reauthorization_required'];

/** One row for each table with text of people, applications or upstreams. Parent rows come first. */
export const ROWS: Readonly<Record<string, (hostile: Hostile) => Row>> = {
  applications: ({ n, text, url, list }) => ({
    id: `app_hostile${n}`,
    name: text(),
    production: n % 2,
    verify_url: url(),
    redirect_urls: list(),
    logo: `data:image/svg+xml,${text()}`,
    allow_token_import: n % 2,
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
    response: '',
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
    connected_as: JSON.stringify({
      name: hostile.text(),
      workspace: hostile.text(),
      pictureUrl: hostile.url(),
    }),
    credentials: '{}',
    metadata: JSON.stringify({ note: hostile.text() }),
    tags: hostile.list(),
    imported_token: hostile.text(),
    version: 1,
    created_at: now + hostile.n,
    updated_at: now + hostile.n,
  }),
  account_terms: (hostile) => ({
    application_id: hostile.applicationId,
    account_id: `acct_hostile${hostile.n}`,
    identifier: hostile.text(),
    term: hostile.text(),
  }),
  authorization_links: (hostile) => ({
    id: `link_hostile${hostile.n}`,
    ...ofAccount(hostile),
    ...expiry,
    token_digest: `hostile${hostile.n}`,
    success_url: hostile.url(),
    failure_url: hostile.url(),
  }),
  authorization_flows: (hostile) => ({
    id: `flow_hostile${hostile.n}`,
    ...ofAccount(hostile),
    ...ofConnection(hostile),
    ...expiry,
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
    ...expiry,
    request_digest: `hostile${hostile.n}`,
    tokens: '',
    token_endpoint: hostile.url(),
    scopes: hostile.list(),
    subject: hostile.text(),
    issuer: hostile.url(),
    connected_as: JSON.stringify({
      name: hostile.text(),
      workspace: hostile.text(),
      pictureUrl: hostile.url(),
    }),
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
  agent_accesses: ({ n, applicationId, url, text, list }) => ({
    id: `access_hostile${n}`,
    application_id: applicationId,
    sign_in_url: url(),
    issuer: url(),
    client_id: text(),
    claim: text(),
    scopes: list(),
    registration: 0,
    limits: JSON.stringify({ connections: [text()], tools: [text()] }),
    created_at: now,
  }),
  agent_clients: ({ n, applicationId, text, list }) => ({
    id: `client_hostile${n}`,
    application_id: applicationId,
    name: text(),
    redirect_uris: list(),
    created_at: now + n,
  }),
  agent_sign_ins: (hostile) => ({
    ...ofClient(hostile),
    id: `asign_hostile${hostile.n}`,
    redirect_uri: hostile.url(),
    state: hostile.text(),
    code_challenge: hostile.text(),
    ticket_digest: `hostile${hostile.n}`,
    issuer: hostile.url(),
    browser_digest: '',
    return_digest: null,
    code_digest: null,
    grant_id: null,
    expires_at: now + 3_600_000,
  }),
  agent_grants: (hostile) => ({
    ...ofClient(hostile),
    id: `grant_hostile${hostile.n}`,
    generation: 1,
    created_at: now + hostile.n,
    used_at: now,
    expires_at: now + 3_600_000,
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
    // The first 12 hex digits are the start time, because the service reads the time from the ID.
    id: `exec_${(now + hostile.n).toString(16).padStart(12, '0')}${'0'.repeat(20)}`,
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
