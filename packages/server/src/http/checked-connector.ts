import { isIP } from 'node:net';
import { buildConnector } from 'undici';
import { ServiceError } from '../errors.js';
import type { AllowedOrigin } from '../names/allowed-origins.js';
import type { FindEgressProxy } from '../names/egress-proxy.js';
import { isBlockedAddress, readOwnAddresses } from './blocked-addresses.js';
import { blockedAddress, createCheckedLookup, type ResolveHost, resolveHost } from './checked-lookup.js';
import { openTunnel } from './egress-tunnel.js';

export interface ConnectorOptions {
  /** Origins that an operator lists for a connector. They may use http, any port and private addresses. */
  readonly allowedOrigins?: readonly AllowedOrigin[];
  readonly resolve?: ResolveHost;
  readonly ownAddresses?: () => readonly string[];
  /** Called for each host that was refused because of its address (rule N3). */
  readonly onBlocked?: (hostname: string) => void;
  /** Default: 5000. */
  readonly connectTimeoutMs?: number;
  /** Default: no target is reached through a proxy. */
  readonly findEgressProxy?: FindEgressProxy;
}

export type Connector = buildConnector.connector;
type Target = buildConnector.Options;

const unlistedOrigin = (): ServiceError =>
  new ServiceError(
    'connection_failed',
    'The origin of the upstream is neither https on port 443 nor listed for its connector in SVC_ALLOWED_ORIGINS.',
    { reason: 'unlisted_origin' },
  );

const isBlocked = (error: unknown): boolean =>
  error instanceof ServiceError && error.details?.['reason'] === 'blocked_address';

const CONNECT_TIMEOUT_MS = 5_000;

// Stated, because NODE_TLS_REJECT_UNAUTHORIZED and NODE_OPTIONS change the defaults.
const settingsOf = ({ connectTimeoutMs: timeout = CONNECT_TIMEOUT_MS }: ConnectorOptions) =>
  ({ rejectUnauthorized: true, minVersion: 'TLSv1.2', allowH2: false, timeout }) as const;

const literalOf = ({ hostname }: Target): string => hostname.replace(/^\[|\]$/g, '');

/** Sets the name of the expected certificate. A literal address needs none. */
const withServerName = (target: Target): Target =>
  isIP(literalOf(target)) === 0 ? { ...target, servername: target.hostname } : target;

/** Creates the connector of undici for the first connection: most commands open none, and load no undici. */
function createLazyConnector(settings: buildConnector.BuildOptions): Connector {
  let open: Connector | undefined;
  return (target, callback) => {
    open ??= buildConnector(settings);
    open(target, callback);
  };
}

/**
 * Sends connections through the egress proxy of their target, where it has one. The proxy resolves the name of the target, so rule N3
 * for names is its task.
 */
function throughProxy(options: ConnectorOptions, connectDirectly: Connector): Connector {
  const { findEgressProxy, connectTimeoutMs: timeoutMs = CONNECT_TIMEOUT_MS } = options;
  if (findEgressProxy === undefined) return connectDirectly;
  const upgrade = createLazyConnector(settingsOf(options));
  return (target, callback) => {
    const proxy = findEgressProxy(target);
    if (proxy === undefined) return connectDirectly(target, callback);
    const { hostname, protocol } = target;
    const port = target.port || (protocol === 'https:' ? '443' : '80');
    openTunnel({ proxy, target: `${hostname}:${port}`, timeoutMs }).then(
      (socket) =>
        protocol === 'https:' ? upgrade({ ...target, httpSocket: socket }, callback) : callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}

/** Opens connections by rules N2 and N4: only https on port 443 of a checked address. */
export function createCheckedConnector(options: ConnectorOptions): Connector {
  const ownAddresses = options.ownAddresses ?? readOwnAddresses;
  const lookup = createCheckedLookup(options.resolve ?? resolveHost, ownAddresses);
  const connect = throughProxy(options, createLazyConnector({ ...settingsOf(options), lookup }));

  return (target, answer) => {
    const callback: buildConnector.Callback = (...args) => {
      if (isBlocked(args[0])) options.onBlocked?.(target.hostname);
      answer(...args);
    };
    const port = target.port || '443';
    if (target.protocol !== 'https:' || port !== '443') return callback(unlistedOrigin(), null);
    // A literal address never reaches the resolver.
    const literal = literalOf(target);
    if (isIP(literal) !== 0 && isBlockedAddress(literal, ownAddresses())) {
      return callback(blockedAddress(), null);
    }
    return connect(withServerName(target), callback);
  };
}

/** Opens connections to listed origins, without a check of their addresses. */
export function createListedConnector(options: ConnectorOptions): Connector {
  const listed = new Set(options.allowedOrigins?.map(({ origin }) => origin));
  const connect = throughProxy(options, createLazyConnector(settingsOf(options)));
  return (target, callback) => {
    const origin = `${target.protocol}//${target.host ?? target.hostname}`;
    return listed.has(origin) ? connect(withServerName(target), callback) : callback(unlistedOrigin(), null);
  };
}
