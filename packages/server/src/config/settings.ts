import type { Option } from './flags.js';

interface Setting {
  readonly env: string;
  readonly fallback?: string;
  readonly help: string;
  /** Present for secrets. They have no flag, because every process of a machine sees the flags of the others. */
  readonly isSecret?: true;
}

export const SETTINGS: Readonly<Record<string, Setting>> = {
  production: {
    env: 'SVC_PRODUCTION',
    fallback: '0',
    help: '1 refuses to start with what is not safe for real users; --check lists it',
  },
  port: { env: 'SVC_PORT', fallback: '4400', help: 'Port to listen on' },
  host: { env: 'SVC_HOST', fallback: '127.0.0.1', help: 'Address to listen on' },
  data: {
    env: 'SVC_DATA',
    fallback: './data',
    help: 'Folder of the root key file, and of the database when there is no DATABASE_URL',
  },
  'database-url': {
    env: 'DATABASE_URL',
    help: 'postgres://user:password@host:5432/database, shared by any number of instances, or file:/path with it; a file in the data folder when absent',
    isSecret: true,
  },
  'proxy-port': {
    env: 'SVC_PROXY_PORT',
    help: 'Port of the second address, on which paths of upstreams begin at / and the token says whose account it is; 2 above the port when absent, none in production without SVC_PROXY_URL',
  },
  'proxy-url': {
    env: 'SVC_PROXY_URL',
    help: "URL of that address, as vendors' own clients see it; http://localhost:<its port> when absent",
  },
  'environment-url': {
    env: 'SVC_ENVIRONMENT_URL',
    help: "URL that users' browsers and redirect URIs see; http://localhost:<port> when absent",
  },
  'client-metadata-url': {
    env: 'SVC_CLIENT_METADATA_URL',
    help: 'https URL of a client metadata document that you publish for MCP servers, or none',
  },
  'root-key': {
    env: 'SVC_ROOT_KEY',
    help: '32 bytes in base64 or hex that encrypt everything, file:/path with such keys, aws-kms:<ARN> or gcp-kms:<name>; a key file in the data folder when absent',
    isSecret: true,
  },
  'previous-root-keys': {
    env: 'SVC_PREVIOUS_ROOT_KEYS',
    help: 'Former root keys, while a rotation goes on; separated by commas',
    isSecret: true,
  },
  catalog: { env: 'SVC_CATALOG', help: 'Folder with more connectors; several are separated by commas' },
  'allowed-origins': {
    env: 'SVC_ALLOWED_ORIGINS',
    help: 'Origins beside public https ones, each for one connector, such as calendar=http://localhost:9000; separated by commas',
  },
  'trusted-proxies': {
    env: 'SVC_TRUSTED_PROXIES',
    help: 'Addresses or networks of reverse proxies whose X-Forwarded-For is believed, such as 10.0.0.0/8; separated by commas',
  },
  'max-connections': {
    env: 'SVC_MAX_CONNECTIONS',
    fallback: '10000',
    help: 'Connections that callers may have open at once',
  },
  'max-connections-per-address': {
    env: 'SVC_MAX_CONNECTIONS_PER_ADDRESS',
    fallback: '1000',
    help: 'As many of them may come from one address (IPv6: one /64) that is no trusted proxy',
  },
  'log-level': { env: 'SVC_LOG_LEVEL', fallback: 'info', help: 'trace, debug, info, warn, error or silent' },
  'log-access': {
    env: 'SVC_LOG_ACCESS',
    fallback: '0',
    help: '1 logs a line for every request; otherwise those that fail or are slow get one',
  },
  'log-slow': {
    env: 'SVC_LOG_SLOW',
    fallback: '10000',
    help: 'Milliseconds from which on a request is slow',
  },
  'rate-application': {
    env: 'SVC_RATE_APPLICATION',
    fallback: '50',
    help: 'Calls a second of one application, of all instances together; twice as many at once',
  },
  'rate-user': {
    env: 'SVC_RATE_USER',
    fallback: '20',
    help: 'Calls a second of one user by tokens for browsers and agents, of all instances together; twice as many at once',
  },
  'rate-account': {
    env: 'SVC_RATE_ACCOUNT',
    fallback: '10',
    help: 'Calls a second of one connected account, of all instances together; twice as many at once',
  },
  'rate-address': {
    env: 'SVC_RATE_ADDRESS',
    fallback: '50',
    help: 'Requests a second from one address for what users see, of each instance; twice as many at once',
  },
  concurrency: {
    env: 'SVC_CONCURRENCY',
    fallback: '1000',
    help: 'Calls to upstreams that one instance has under way at once; one application gets half of them at most',
  },
  'max-upload': {
    env: 'SVC_MAX_UPLOAD',
    fallback: '250',
    help: 'MiB that the body of one request through the proxy may have',
  },
  'agent-wait': {
    env: 'SVC_AGENT_WAIT',
    fallback: '50',
    help: "Seconds, up to 300, for which a call of an agent's long-running tool is waited for; then the agent gets a job to ask for",
  },
  'answer-memory': {
    env: 'SVC_ANSWER_MEMORY',
    fallback: '128',
    help: 'MiB of answers and bodies that one instance holds at once; one application gets half of them at most',
  },
  'keep-executions': {
    env: 'SVC_KEEP_EXECUTIONS',
    fallback: '14',
    help: 'Days for which executions are kept',
  },
  'keep-audit': { env: 'SVC_KEEP_AUDIT', fallback: '400', help: 'Days for which audit events are kept' },
  'keep-ended': {
    env: 'SVC_KEEP_ENDED',
    fallback: '0',
    help: 'Days for which tokens, links, flows, sessions and answers are kept after their end',
  },
  'keep-unused': {
    env: 'SVC_KEEP_UNUSED',
    fallback: '90',
    help: 'Days for which revoked client secrets, and client registrations that no account uses, are kept',
  },
  'plain-runtime': {
    env: 'SVC_PLAIN_RUNTIME',
    fallback: '0',
    help: '1 leaves the sockets of Node.js as they are, for trouble with another version of it',
  },
  'sandbox-port': { env: 'SVC_SANDBOX_PORT', fallback: '4401', help: 'Port of the sandbox' },
  'first-client-id': {
    env: 'SVC_FIRST_CLIENT_ID',
    help: 'Client id of the first application; made at random when absent',
  },
  'first-client-secret': {
    env: 'SVC_FIRST_CLIENT_SECRET',
    help: 'Client secret of the first application, or file:/path with it; made at random when absent',
    isSecret: true,
  },
  'first-operator-password': {
    env: 'SVC_FIRST_OPERATOR_PASSWORD',
    help: 'Password of the first operator, admin, or file:/path with it; made at random when absent',
    isSecret: true,
  },
};

/** Flags of all settings, for the service and every command. Flags of secrets are parsed only to refuse them. */
export const SETTING_OPTIONS: Readonly<Record<string, Option>> = Object.fromEntries(
  Object.keys(SETTINGS).map((name) => [name, { type: 'string' }]),
);

/** Help with one line per setting: its flag unless it is a secret, its variable and its effect. */
export function settingsHelp(): string {
  const rows = Object.entries(SETTINGS).map(([name, { env, fallback, help, isSecret }]) => {
    const end = fallback === undefined ? '' : ` (${fallback})`;
    return `  ${(isSecret ? '' : `--${name}`).padEnd(29)} ${env.padEnd(31)} ${help}${end}`;
  });
  return rows.join('\n');
}
