import type { Option } from './flags.js';

interface Setting {
  readonly env: string;
  readonly fallback?: string;
  readonly help: string;
  /** True for a secret. Secrets have no flag, because other processes of the machine can read the command line. */
  readonly isSecret?: true;
}

export const SETTINGS: Readonly<Record<string, Setting>> = {
  production: {
    env: 'SVC_PRODUCTION',
    fallback: '0',
    help: '1: the service does not start with settings that are unsafe for real users; --check lists them',
  },
  port: { env: 'SVC_PORT', fallback: '4400', help: 'Port on which the service listens' },
  host: {
    env: 'SVC_HOST',
    fallback: '127.0.0.1',
    help: 'IP address or host name on which the service listens',
  },
  data: {
    env: 'SVC_DATA',
    fallback: './data',
    help: 'Folder for the root key file, and for the database when DATABASE_URL is not set',
  },
  'database-url': {
    env: 'DATABASE_URL',
    help: 'postgres://user:password@host:5432/database, which several instances can share, or file:/path with this URL; default: a file in the data folder',
    isSecret: true,
  },
  'database-connections': {
    env: 'SVC_DATABASE_CONNECTIONS',
    fallback: '20',
    help: 'Connections of one instance to PostgreSQL, at least 4; all instances together must stay below its max_connections',
  },
  'proxy-port': {
    env: 'SVC_PROXY_PORT',
    help: 'Proxy port: upstream paths begin at / and the token selects the account; default: SVC_PORT + 2, in production only with SVC_PROXY_URL',
  },
  'proxy-url': {
    env: 'SVC_PROXY_URL',
    help: 'URL of the proxy port, which API clients of vendors call; default: http://localhost:<proxy port>',
  },
  'metrics-port': {
    env: 'SVC_METRICS_PORT',
    help: 'Port that serves /metrics for Prometheus; default: /metrics is off, unless SVC_METRICS_TOKEN is set',
  },
  'metrics-token': {
    env: 'SVC_METRICS_TOKEN',
    help: 'Bearer token that /metrics requires; without SVC_METRICS_PORT, SVC_PORT then serves /metrics',
    isSecret: true,
  },
  'environment-url': {
    env: 'SVC_ENVIRONMENT_URL',
    help: 'URL of the service for browsers and redirect URIs; default: http://localhost:<port>',
  },
  'client-metadata-url': {
    env: 'SVC_CLIENT_METADATA_URL',
    help: 'https URL of a client metadata document that you publish for MCP servers, or "none"',
  },
  'root-key': {
    env: 'SVC_ROOT_KEY',
    help: 'Root key, which encrypts the data keys: 32 bytes in base64 or hex, file:/path with such keys, aws-kms:<ARN> or gcp-kms:<name>; default: a key file in the data folder',
    isSecret: true,
  },
  'previous-root-keys': {
    env: 'SVC_PREVIOUS_ROOT_KEYS',
    help: 'Former root keys that the service needs until a rotation of the root key has ended, separated by commas',
    isSecret: true,
  },
  catalog: { env: 'SVC_CATALOG', help: 'Folders with more connectors, separated by commas' },
  'allowed-origins': {
    env: 'SVC_ALLOWED_ORIGINS',
    help: 'Origins with http, a private address or a port other than 443 that the service may call, each for one connector, such as calendar=http://localhost:9000; separated by commas',
  },
  'trusted-proxies': {
    env: 'SVC_TRUSTED_PROXIES',
    help: 'Addresses or networks of reverse proxies whose X-Forwarded-For is trusted, such as 10.0.0.0/8; separated by commas',
  },
  'https-proxy': {
    env: 'HTTPS_PROXY',
    help: 'URL of the HTTP proxy that https requests to upstreams go through; it must refuse private addresses itself',
    isSecret: true,
  },
  'http-proxy': {
    env: 'HTTP_PROXY',
    help: 'URL of the HTTP proxy that requests to the http origins in SVC_ALLOWED_ORIGINS go through',
    isSecret: true,
  },
  'all-proxy': {
    env: 'ALL_PROXY',
    help: 'URL of the HTTP proxy for requests whose own variable, HTTPS_PROXY or HTTP_PROXY, is not set',
    isSecret: true,
  },
  'no-proxy': {
    env: 'NO_PROXY',
    help: 'Hosts (with their subdomains), addresses and networks that bypass HTTPS_PROXY, HTTP_PROXY and ALL_PROXY; separated by commas',
  },
  'max-connections': {
    env: 'SVC_MAX_CONNECTIONS',
    fallback: '10000',
    help: 'Maximum number of open connections of all callers to one instance',
  },
  'max-connections-per-address': {
    env: 'SVC_MAX_CONNECTIONS_PER_ADDRESS',
    fallback: '1000',
    help: 'Maximum number of open connections of one caller address (IPv6: of one /64 network) to one instance, except trusted proxies',
  },
  'log-level': {
    env: 'SVC_LOG_LEVEL',
    fallback: 'info',
    help: 'Lowest level that is logged: trace, debug, info, warn, error or silent',
  },
  'log-access': {
    env: 'SVC_LOG_ACCESS',
    fallback: '0',
    help: '1: the service logs every request; 0: only failed and slow requests',
  },
  'log-slow': {
    env: 'SVC_LOG_SLOW',
    fallback: '10000',
    help: 'Milliseconds after which a request is logged as slow',
  },
  'rate-application': {
    env: 'SVC_RATE_APPLICATION',
    fallback: '50',
    help: 'Calls per second of one application, over all instances; the burst is twice as large',
  },
  'rate-user': {
    env: 'SVC_RATE_USER',
    fallback: '20',
    help: 'Calls per second of one user with tokens for browsers and agents, over all instances; the burst is twice as large',
  },
  'rate-account': {
    env: 'SVC_RATE_ACCOUNT',
    fallback: '10',
    help: 'Calls per second of one connected account, over all instances; the burst is twice as large',
  },
  'rate-address': {
    env: 'SVC_RATE_ADDRESS',
    fallback: '50',
    help: 'Requests per second of one address to public pages, per instance; the burst is twice as large',
  },
  concurrency: {
    env: 'SVC_CONCURRENCY',
    fallback: '1000',
    help: 'Concurrent upstream calls of one instance; one application gets at most half of them',
  },
  'max-upload': {
    env: 'SVC_MAX_UPLOAD',
    fallback: '250',
    help: 'Maximum size of the body of one proxied request, and of a linked file, in MiB',
  },
  'agent-wait': {
    env: 'SVC_AGENT_WAIT',
    fallback: '50',
    help: "Seconds, up to 300, that an agent's call of a long-running tool waits; then the agent gets a job_id for the result",
  },
  'response-memory': {
    env: 'SVC_RESPONSE_MEMORY',
    fallback: '128',
    help: 'Memory of one instance for responses and large inputs, in MiB; one application gets at most half of it',
  },
  'keep-executions': {
    env: 'SVC_KEEP_EXECUTIONS',
    fallback: '14',
    help: 'Days after which executions are deleted',
  },
  'keep-audit': { env: 'SVC_KEEP_AUDIT', fallback: '400', help: 'Days after which audit events are deleted' },
  'keep-ended': {
    env: 'SVC_KEEP_ENDED',
    fallback: '0',
    help: 'Days between the expiry and the deletion of tokens, authorization links, consents in progress, sessions and stored responses',
  },
  'keep-unused': {
    env: 'SVC_KEEP_UNUSED',
    fallback: '90',
    help: 'Days after which revoked client secrets and unused client registrations are deleted',
  },
  'plain-runtime': {
    env: 'SVC_PLAIN_RUNTIME',
    fallback: '0',
    help: '1: the service does not modify the sockets of Node.js; try 1 if a different version of Node.js causes problems',
  },
  'sandbox-port': { env: 'SVC_SANDBOX_PORT', fallback: '4401', help: 'Port of the sandbox' },
  'first-client-id': {
    env: 'SVC_FIRST_CLIENT_ID',
    help: 'Client id of the first application; default: random',
  },
  'first-client-secret': {
    env: 'SVC_FIRST_CLIENT_SECRET',
    help: 'Client secret of the first application, or file:/path of a file with it; default: random',
    isSecret: true,
  },
  'first-operator-password': {
    env: 'SVC_FIRST_OPERATOR_PASSWORD',
    help: 'Password of the first operator ("admin"), or file:/path of a file with it; default: random',
    isSecret: true,
  },
};

/**
 * Command line flags of all settings, for the service and every command. Flags of secrets exist only to be refused with
 * an explanation.
 */
export const SETTING_OPTIONS: Readonly<Record<string, Option>> = Object.fromEntries(
  Object.keys(SETTINGS).map((name) => [name, { type: 'string' }]),
);

/**
 * Builds the help text of the settings. Each line contains the flag (unless it is a secret), the environment variable
 * and the effect.
 */
export function settingsHelp(): string {
  const rows = Object.entries(SETTINGS).map(([name, { env, fallback, help, isSecret }]) => {
    const end = fallback === undefined ? '' : ` (default: ${fallback})`;
    return `  ${(isSecret ? '' : `--${name}`).padEnd(29)} ${env.padEnd(31)} ${help}${end}`;
  });
  return rows.join('\n');
}
