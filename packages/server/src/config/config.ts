import ipaddr from 'ipaddr.js';
import { ServiceError } from '../errors.js';
import type { AllowedOrigin } from '../names/allowed-origins.js';
import { withoutLastSlashes } from '../text/without-last-slashes.js';
import { type Flags, readFlags } from './flags.js';
import { readSecret } from './read-secret.js';
import { SETTING_OPTIONS, SETTINGS } from './settings.js';
import { UsageError } from './usage-error.js';

interface ProxyAddress {
  readonly port: number;
  readonly url: string;
  /** Whether the URL is the operator's own. */
  readonly isTold: boolean;
}

/** What an operator decides. Every setting is an environment variable and, unless it is a secret, a flag of the same name. */
export interface Config {
  /** Refuses to start with what only development may do. */
  readonly production: boolean;
  readonly port: number;
  readonly host: string;
  readonly data: string;
  /** A PostgreSQL that instances share; SQLite in the data folder when absent. */
  readonly databaseUrl: string | undefined;
  readonly environmentUrl: string;
  /** Where the proxy is all there is, for clients that know an origin and a token; absent where nobody is let in so. */
  readonly proxyAddress: ProxyAddress | undefined;
  /** Of a client metadata document that is published elsewhere; `none` where no authorization server could read one. */
  readonly clientMetadataUrl: string | undefined;
  readonly rootKey: string | undefined;
  /** They only decrypt: what a rotation of the root key has not reached yet. */
  readonly previousRootKeys: readonly string[];
  readonly catalogFolders: readonly string[];
  readonly allowedOrigins: readonly AllowedOrigin[];
  readonly trustedProxies: readonly string[];
  readonly maxConnections: number;
  /** From one address that is no trusted proxy. */
  readonly maxConnectionsPerAddress: number;
  readonly log: {
    readonly level: string;
    /** A line for every request. */
    readonly access: boolean;
    /** Milliseconds. */
    readonly slowMs: number;
  };
  /** Calls a second, of one application, one account and one address. */
  readonly rates: Readonly<Record<'application' | 'user' | 'account' | 'address', number>>;
  /** Calls to upstreams that may be under way at once in this process. */
  readonly concurrency: number;
  /** MiB of one body through the proxy. */
  readonly maxUpload: number;
  /** Seconds that an agent's call of a long-running tool is waited for. */
  readonly agentWait: number;
  /** MiB of bodies from outside that are held at once. */
  readonly answerMemory: number;
  /** Days. */
  readonly keep: {
    readonly executions: number;
    readonly audit: number;
    readonly ended: number;
    readonly unused: number;
  };
  /** Leaves the objects of Node.js as they are, where the service otherwise changes them. */
  readonly plainRuntime: boolean;
  readonly sandbox: boolean;
  readonly sandboxPort: number;
  readonly firstClientId: string | undefined;
  readonly firstClientSecret: string | undefined;
  readonly firstOperatorPassword: string | undefined;
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'];

function refuse(message: string): never {
  throw new ServiceError('invalid_request', message);
}

// Port 0, any free one, would leave the URL that everybody has to know unknown.
function port(name: string, value: string): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= 1 && number <= 65535) return number;
  return refuse(`${name} is "${value}"; give a port between 1 and 65535.`);
}

function count(name: string, value: string): number {
  const number = Number(value);
  if (/^\d{1,9}$/.test(value) && number >= 1) return number;
  return refuse(`${name} is "${value}"; give a whole number from 1 to 999999999.`);
}

const MOST_SECONDS = 300;

function seconds(name: string, value: string): number {
  if (count(name, value) <= MOST_SECONDS) return Number(value);
  return refuse(`${name} is "${value}"; give at most ${MOST_SECONDS}.`);
}

const MOST_DAYS = 36_500;

function days(name: string, value: string, least: number): number {
  const number = Number(value);
  if (/^\d{1,5}$/.test(value) && number >= least && number <= MOST_DAYS) return number;
  return refuse(`${name} is "${value}"; give a whole number of days from ${least} to ${MOST_DAYS}.`);
}

function url(name: string, value: string): string {
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return withoutLastSlashes(value);
  return refuse(`${name} is "${value}"; give an absolute URL such as https://connect.example.com.`);
}

// In the one form in which it is compared, shown and sent: what is parsed and written again has no second spelling.
function ownUrl(name: string, given: string): string {
  const { origin, pathname, username, password, search, hash } = new URL(url(name, given));
  if (`${username}${password}${search}${hash}` === '') return origin + withoutLastSlashes(pathname);
  return refuse(`${name} is "${given}"; give a URL without a user name, a query and a fragment.`);
}

interface ProxySettings {
  readonly production: boolean;
  readonly beside: number;
  readonly port: string | undefined;
  readonly url: string | undefined;
}

function proxyAddress({ production, beside, ...given }: ProxySettings): ProxyAddress | undefined {
  if (production && given.url === undefined) return undefined;
  const number = port('SVC_PROXY_PORT', given.port ?? String(beside + 2));
  const url = ownUrl('SVC_PROXY_URL', given.url ?? `http://localhost:${number}`);
  if (number === beside) return refuse(`SVC_PROXY_PORT is "${number}"; give another port than SVC_PORT.`);
  if (new URL(url).pathname === '/') return { port: number, url, isTold: given.url !== undefined };
  return refuse(`SVC_PROXY_URL is "${url}"; give one without a path, where the paths of upstreams begin.`);
}

function databaseUrl(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const isPostgres = /^postgres(ql)?:\/\/[^/]/.test(value) && URL.canParse(value);
  if (isPostgres && new URL(value).pathname.length > 1) return value;
  return refuse(
    'DATABASE_URL is not the URL of a database; give one such as postgres://user:password@host:5432/svc.',
  );
}

// Authorization servers fetch the document: what they refuse at sight is no setting.
function documentUrl(name: string, value: string | undefined): string | undefined {
  if (value === undefined || value === 'none') return value;
  const isDocument = /^https:\/\/[^/?#@]+\/[^?#]+$/.test(value) && URL.canParse(value);
  return isDocument ? value : refuse(`${name} is "${value}"; give an https URL with a path, or none.`);
}

function list(value: string | undefined): string[] {
  return (value ?? '').split(',').flatMap((part) => part.trim() || []);
}

// A connector's name stands before each: an origin inside is for those whose operator meant it, and for no other.
function allowedOrigin(value: string): AllowedOrigin {
  const [, connector, origin] = /^([^=:/]+)=(.+)$/.exec(value) ?? [];
  if (connector !== undefined && origin !== undefined)
    return { connector, origin: new URL(url('SVC_ALLOWED_ORIGINS', origin)).origin };
  return refuse(
    `SVC_ALLOWED_ORIGINS is "${value}"; give a connector and an origin, such as calendar=http://localhost:9000.`,
  );
}

function network(value: string): string {
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(value) || ipaddr.IPv6.isValid(value);
  const isNetwork = ipaddr.isValidCIDR(value) && ipaddr.parseCIDR(value)[1] > 0;
  if (isAddress || isNetwork) return value;
  return refuse(`SVC_TRUSTED_PROXIES is "${value}"; give addresses or networks such as 10.0.0.0/8.`);
}

function isOn(name: string, value: string): boolean {
  if (value === '1' || value === '0') return value === '1';
  return refuse(`${name} is "${value}"; give 1 or 0.`);
}

function logLevel(value: string): string {
  if (LOG_LEVELS.includes(value)) return value;
  return refuse(`SVC_LOG_LEVEL is "${value}"; give one of ${LOG_LEVELS.join(', ')}.`);
}

/** A secret or id that whoever starts the service chose. */
function plainText(name: string, value: string | undefined, shortest: number): string | undefined {
  const isPlain = value === undefined || (/^[\x21-\x7e]+$/.test(value) && value.length <= 256);
  if (isPlain && (value?.length ?? shortest) >= shortest) return value;
  return refuse(
    `${name} must have ${shortest} to 256 visible ASCII characters; leave it out to get a random one.`,
  );
}

// What a shell leaves of a flag whose variable is not set is empty: the default is not what was meant there.
function checkFlags(flags: Flags): void {
  for (const [name, { env, isSecret }] of Object.entries(SETTINGS)) {
    if (flags[name] === undefined) continue;
    if (isSecret)
      throw new UsageError(
        `--${name} would show a secret to every process of this machine: set the variable ${env}, to the value or to file:/path with it.`,
      );
    if (flags[name] === '') throw new UsageError(`--${name} is empty: give it a value, or leave it out.`);
  }
}

/** Takes flags first, environment variables second, defaults last. Throws one sentence that says what to change. */
export function toConfig(flags: Flags, env: NodeJS.ProcessEnv): Config {
  checkFlags(flags);
  const optional = (name: string): string | undefined => {
    const flag = flags[name];
    const setting = SETTINGS[name];
    return (
      (typeof flag === 'string' ? flag : (setting && env[setting.env]) || undefined) ?? setting?.fallback
    );
  };
  const text = (name: string): string => optional(name) ?? '';
  const secret = (name: string) => readSecret(SETTINGS[name]?.env ?? name, optional(name));
  const listenOn = port('SVC_PORT', text('port'));
  const production = isOn('SVC_PRODUCTION', text('production'));
  return {
    production,
    port: listenOn,
    host: text('host'),
    data: text('data'),
    databaseUrl: databaseUrl(secret('database-url')),
    environmentUrl: ownUrl(
      'SVC_ENVIRONMENT_URL',
      optional('environment-url') ?? `http://localhost:${listenOn}`,
    ),
    proxyAddress: proxyAddress({
      production,
      beside: listenOn,
      port: optional('proxy-port'),
      url: optional('proxy-url'),
    }),
    clientMetadataUrl: documentUrl('SVC_CLIENT_METADATA_URL', optional('client-metadata-url')),
    rootKey: optional('root-key'),
    previousRootKeys: list(optional('previous-root-keys')),
    catalogFolders: list(optional('catalog')),
    allowedOrigins: list(optional('allowed-origins')).map(allowedOrigin),
    trustedProxies: list(optional('trusted-proxies')).map(network),
    maxConnections: count('SVC_MAX_CONNECTIONS', text('max-connections')),
    maxConnectionsPerAddress: count('SVC_MAX_CONNECTIONS_PER_ADDRESS', text('max-connections-per-address')),
    log: {
      level: logLevel(text('log-level')),
      access: isOn('SVC_LOG_ACCESS', text('log-access')),
      slowMs: count('SVC_LOG_SLOW', text('log-slow')),
    },
    rates: {
      application: count('SVC_RATE_APPLICATION', text('rate-application')),
      user: count('SVC_RATE_USER', text('rate-user')),
      account: count('SVC_RATE_ACCOUNT', text('rate-account')),
      address: count('SVC_RATE_ADDRESS', text('rate-address')),
    },
    concurrency: count('SVC_CONCURRENCY', text('concurrency')),
    maxUpload: count('SVC_MAX_UPLOAD', text('max-upload')),
    agentWait: seconds('SVC_AGENT_WAIT', text('agent-wait')),
    answerMemory: count('SVC_ANSWER_MEMORY', text('answer-memory')),
    keep: {
      executions: days('SVC_KEEP_EXECUTIONS', text('keep-executions'), 1),
      audit: days('SVC_KEEP_AUDIT', text('keep-audit'), 1),
      ended: days('SVC_KEEP_ENDED', text('keep-ended'), 0),
      unused: days('SVC_KEEP_UNUSED', text('keep-unused'), 1),
    },
    plainRuntime: isOn('SVC_PLAIN_RUNTIME', text('plain-runtime')),
    sandbox: flags['sandbox'] === true,
    sandboxPort: port('SVC_SANDBOX_PORT', text('sandbox-port')),
    firstClientId: plainText('SVC_FIRST_CLIENT_ID', optional('first-client-id'), 1),
    firstClientSecret: plainText('SVC_FIRST_CLIENT_SECRET', secret('first-client-secret'), 8),
    firstOperatorPassword: plainText('SVC_FIRST_OPERATOR_PASSWORD', secret('first-operator-password'), 12),
  };
}

/** The settings of a service that is started with these arguments. */
export function readConfig(args: readonly string[], env: NodeJS.ProcessEnv): Config {
  const { flags } = readFlags(args, { ...SETTING_OPTIONS, sandbox: { type: 'boolean' } });
  return toConfig(flags, env);
}
