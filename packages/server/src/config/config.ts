import type { AllowedOrigin } from '../names/allowed-origins.js';
import type { EgressProxies } from './egress-proxies.js';
import { type Flags, readFlags } from './flags.js';
import {
  allowedOrigin,
  count,
  databaseUrl,
  days,
  documentUrl,
  egressProxy,
  isOn,
  list,
  logLevel,
  network,
  ownUrl,
  plainText,
  port,
  readSecret,
  refuse,
} from './setting-values.js';
import { SETTING_OPTIONS, SETTINGS } from './settings.js';
import { UsageError } from './usage-error.js';

interface ProxyAddress {
  readonly port: number;
  readonly url: string;
  /** True if the operator set SVC_PROXY_URL. False if the URL is the default. */
  readonly isConfigured: boolean;
}

/** Address of the metrics. At least one of its members is set. */
interface MetricsAddress {
  /** Port that serves only the metrics. Absent if the port of the service serves them. */
  readonly port: number | undefined;
  /** Bearer token that a request must present. Absent if the metrics have a port of their own and no token is set. */
  readonly token: string | undefined;
}

/** Settings of the service. Each is an environment variable and, unless it is a secret, also a command line flag. */
export interface Config {
  /** If true, the service refuses to start with settings that are only safe in development. */
  readonly production: boolean;
  readonly port: number;
  readonly host: string;
  readonly data: string;
  /** URL of the PostgreSQL database that all instances share. If absent, the service uses SQLite in the data folder. */
  readonly databaseUrl: string | undefined;
  /** Maximum number of connections from this instance to PostgreSQL. */
  readonly databaseConnections: number;
  readonly environmentUrl: string;
  /** Proxy port, for clients that only support a base URL and a token. `undefined` disables the proxy port. */
  readonly proxyAddress: ProxyAddress | undefined;
  /** Metrics for Prometheus. `undefined` disables them. */
  readonly metrics: MetricsAddress | undefined;
  /**
   * URL of a client metadata document that the operator publishes on another host. `none` disables client metadata
   * documents.
   */
  readonly clientMetadataUrl: string | undefined;
  readonly rootKey: string | undefined;
  /** Previous root keys. They only decrypt, and are necessary until a root key rotation is complete. */
  readonly previousRootKeys: readonly string[];
  readonly catalogFolders: readonly string[];
  readonly allowedOrigins: readonly AllowedOrigin[];
  readonly trustedProxies: readonly string[];
  readonly egressProxies: EgressProxies;
  readonly maxConnections: number;
  /** Maximum number of open connections per client IP address. Trusted proxies are exempt. */
  readonly maxConnectionsPerAddress: number;
  readonly log: {
    readonly level: string;
    /** If true, the service logs every request. */
    readonly access: boolean;
    /** Duration in milliseconds from which a request is logged as slow. */
    readonly slowMs: number;
  };
  /** Rate limits in calls per second. */
  readonly rates: Readonly<Record<'application' | 'user' | 'account' | 'address', number>>;
  /** Maximum number of concurrent upstream calls of this process. */
  readonly concurrency: number;
  /** Maximum size of a request body through the proxy, in MiB. */
  readonly maxUpload: number;
  /** Time in seconds that an MCP client waits for a long-running tool. After this time, the call continues as a job. */
  readonly agentWait: number;
  /** Maximum memory for request and response bodies, in MiB. */
  readonly responseMemory: number;
  /** Retention times of database rows in days. */
  readonly retention: {
    readonly executions: number;
    readonly audit: number;
    readonly ended: number;
    readonly unused: number;
  };
  /**
   * If true, the service does not modify objects of Node.js such as sockets. This setting helps if a new Node.js
   * version causes errors.
   */
  readonly plainRuntime: boolean;
  readonly sandbox: boolean;
  readonly sandboxPort: number;
  readonly firstClientId: string | undefined;
  readonly firstClientSecret: string | undefined;
  readonly firstOperatorPassword: string | undefined;
}

interface ProxySettings {
  readonly production: boolean;
  readonly mainPort: number;
  readonly port: string | undefined;
  readonly url: string | undefined;
}

function proxyAddress(settings: ProxySettings): ProxyAddress | undefined {
  const { production, mainPort } = settings;
  if (production && settings.url === undefined) return undefined;
  const number = port('SVC_PROXY_PORT', settings.port ?? String(mainPort + 2));
  const url = ownUrl('SVC_PROXY_URL', settings.url ?? `http://localhost:${number}`);
  if (number === mainPort)
    return refuse(`SVC_PROXY_PORT is "${number}", the same port as SVC_PORT. Set it to another port.`);
  if (new URL(url).pathname === '/') return { port: number, url, isConfigured: settings.url !== undefined };
  return refuse(
    `SVC_PROXY_URL is "${url}". Set it to a URL without a path, because upstream paths begin at its root.`,
  );
}

interface MetricsSettings {
  readonly otherPorts: readonly (number | undefined)[];
  readonly port: string | undefined;
  readonly token: string | undefined;
}

function metricsAddress(settings: MetricsSettings): MetricsAddress | undefined {
  const token = plainText('SVC_METRICS_TOKEN', settings.token, { shortest: 16 });
  if (settings.port === undefined) return token === undefined ? undefined : { port: undefined, token };
  const number = port('SVC_METRICS_PORT', settings.port);
  if (!settings.otherPorts.includes(number)) return { port: number, token };
  return refuse(
    `SVC_METRICS_PORT is "${number}", a port that the service uses already. Set it to another port.`,
  );
}

// Refuses an empty flag, because it usually comes from an unset shell variable and would silently select the default.
function checkFlags(flags: Flags): void {
  for (const [name, { env, isSecret }] of Object.entries(SETTINGS)) {
    if (flags[name] === undefined) continue;
    if (isSecret)
      throw new UsageError(
        `--${name} would show a secret to every process of this machine. Set the variable ${env} instead, to the secret or to file:/path.`,
      );
    if (flags[name] === '') throw new UsageError(`--${name} is empty. Set a value, or omit the option.`);
  }
}

/** Returns the text of a setting, by the name of its flag. */
type ReadText = (name: string) => string;

const readLog = (text: ReadText): Config['log'] => ({
  level: logLevel(text('log-level')),
  access: isOn('SVC_LOG_ACCESS', text('log-access')),
  slowMs: count('SVC_LOG_SLOW', text('log-slow'), { unit: 'milliseconds' }),
});

const readRates = (text: ReadText): Config['rates'] => ({
  application: count('SVC_RATE_APPLICATION', text('rate-application'), { unit: 'calls per second' }),
  user: count('SVC_RATE_USER', text('rate-user'), { unit: 'calls per second' }),
  account: count('SVC_RATE_ACCOUNT', text('rate-account'), { unit: 'calls per second' }),
  address: count('SVC_RATE_ADDRESS', text('rate-address'), { unit: 'requests per second' }),
});

const readRetention = (text: ReadText): Config['retention'] => ({
  executions: days('SVC_KEEP_EXECUTIONS', text('keep-executions'), 1),
  audit: days('SVC_KEEP_AUDIT', text('keep-audit'), 1),
  ended: days('SVC_KEEP_ENDED', text('keep-ended'), 0),
  unused: days('SVC_KEEP_UNUSED', text('keep-unused'), 1),
});

/** Creates the functions that return the value of a setting by the name of its flag. */
function createReaders(flags: Flags, env: NodeJS.ProcessEnv) {
  const optional = (name: string): string | undefined => {
    const flag = flags[name];
    const setting = SETTINGS[name];
    return (
      (typeof flag === 'string' ? flag : (setting && env[setting.env]) || undefined) ?? setting?.fallback
    );
  };
  const text = (name: string): string => optional(name) ?? '';
  const secret = (name: string) => readSecret(SETTINGS[name]?.env ?? name, optional(name));
  return { optional, text, secret };
}

type Readers = ReturnType<typeof createReaders>;

function readEgressProxies(
  { optional, secret }: Pick<Readers, 'optional' | 'secret'>,
  env: NodeJS.ProcessEnv,
): EgressProxies {
  const egress = (name: string) => {
    const { env: variable = name } = SETTINGS[name] ?? {};
    return egressProxy(variable, secret(name) ?? (env[variable.toLowerCase()] || undefined));
  };
  const https = egress('https-proxy');
  const http = egress('http-proxy');
  return {
    https,
    http,
    // An unused ALL_PROXY is not checked, because other programs may use one such as socks5://.
    all: https === undefined || http === undefined ? egress('all-proxy') : undefined,
    // Some companies separate the entries of NO_PROXY by spaces.
    direct: list((optional('no-proxy') ?? env['no_proxy'])?.replace(/\s+/g, ',')),
  };
}

const RANDOM = ' to get a random one';

/** Reads the credentials of the first application and the first operator. */
const readFirst = ({ optional, secret }: Pick<Readers, 'optional' | 'secret'>) => ({
  firstClientId: plainText('SVC_FIRST_CLIENT_ID', optional('first-client-id'), {
    shortest: 1,
    without: RANDOM,
  }),
  firstClientSecret: plainText('SVC_FIRST_CLIENT_SECRET', secret('first-client-secret'), {
    shortest: 8,
    without: RANDOM,
  }),
  firstOperatorPassword: plainText('SVC_FIRST_OPERATOR_PASSWORD', secret('first-operator-password'), {
    shortest: 12,
    without: RANDOM,
  }),
});

/**
 * Builds the configuration. A flag takes precedence over an environment variable, and both over the default. Throws an
 * error that names the setting to change.
 */
export function toConfig(flags: Flags, env: NodeJS.ProcessEnv): Config {
  checkFlags(flags);
  const { optional, text, secret } = createReaders(flags, env);
  const listenOn = port('SVC_PORT', text('port'));
  const production = isOn('SVC_PRODUCTION', text('production'));
  const localUrl = `http://localhost:${listenOn}`;
  const ofMetrics = { port: optional('metrics-port'), token: secret('metrics-token') };
  const ofProxy = { port: optional('proxy-port'), url: optional('proxy-url') };
  const proxy = proxyAddress({ production, mainPort: listenOn, ...ofProxy });
  return {
    production,
    port: listenOn,
    host: text('host'),
    data: text('data'),
    databaseUrl: databaseUrl(secret('database-url')),
    databaseConnections: count('SVC_DATABASE_CONNECTIONS', text('database-connections'), {
      unit: 'connections',
      least: 4,
    }),
    environmentUrl: ownUrl('SVC_ENVIRONMENT_URL', optional('environment-url') ?? localUrl),
    proxyAddress: proxy,
    metrics: metricsAddress({ otherPorts: [listenOn, proxy?.port], ...ofMetrics }),
    clientMetadataUrl: documentUrl('SVC_CLIENT_METADATA_URL', optional('client-metadata-url')),
    rootKey: optional('root-key'),
    previousRootKeys: list(optional('previous-root-keys')),
    catalogFolders: list(optional('catalog')),
    allowedOrigins: list(optional('allowed-origins')).map(allowedOrigin),
    trustedProxies: list(optional('trusted-proxies')).map(network),
    egressProxies: readEgressProxies({ optional, secret }, env),
    maxConnections: count('SVC_MAX_CONNECTIONS', text('max-connections'), { unit: 'connections' }),
    maxConnectionsPerAddress: count('SVC_MAX_CONNECTIONS_PER_ADDRESS', text('max-connections-per-address'), {
      unit: 'connections',
    }),
    log: readLog(text),
    rates: readRates(text),
    concurrency: count('SVC_CONCURRENCY', text('concurrency'), { unit: 'calls' }),
    maxUpload: count('SVC_MAX_UPLOAD', text('max-upload'), { unit: 'MiB' }),
    agentWait: count('SVC_AGENT_WAIT', text('agent-wait'), { unit: 'seconds', most: 300 }),
    responseMemory: count('SVC_RESPONSE_MEMORY', text('response-memory'), { unit: 'MiB' }),
    retention: readRetention(text),
    plainRuntime: isOn('SVC_PLAIN_RUNTIME', text('plain-runtime')),
    sandbox: flags['sandbox'] === true,
    sandboxPort: port('SVC_SANDBOX_PORT', text('sandbox-port')),
    ...readFirst({ optional, secret }),
  };
}

/** Parses the command line arguments and the environment of a start. */
export function readConfig(args: readonly string[], env: NodeJS.ProcessEnv): Config {
  const { flags } = readFlags(args, { ...SETTING_OPTIONS, sandbox: { type: 'boolean' } });
  return toConfig(flags, env);
}
