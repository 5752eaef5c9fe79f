import { isIP } from 'node:net';
import { buildConnector } from 'undici';
import { ServiceError } from '../errors.js';
import type { AllowedOrigin } from '../names/allowed-origins.js';
import { isBlockedAddress, readOwnAddresses } from './blocked-addresses.js';
import { blockedAddress, createCheckedLookup, type ResolveHost, resolveHost } from './checked-lookup.js';
import type { FindEgressProxy } from './egress-proxy.js';
import { openTunnel } from './egress-tunnel.js';

export interface ConnectorOptions {
  /** Origins that the operator allows for a connector. Their URLs may use http, any port and private addresses. */
  readonly allowedOrigins?: readonly AllowedOrigin[];
  readonly resolve?: ResolveHost;
  readonly ownAddresses?: () => readonly string[];
  /** Called with the host name when a connection is refused because of its address (rule N3 in security-rules.md). */
  readonly onBlocked?: (hostname: string) => void;
  /** Time limit for opening a connection, in milliseconds. Default: 5000. */
  readonly connectTimeoutMs?: number;
  /** Returns the egress proxy for a target. Default: the service connects directly. */
  readonly findEgressProxy?: FindEgressProxy;
}

export type Connector = buildConnector.connector;
type Target = buildConnector.Options;

const unlistedOrigin = (): ServiceError =>
  new ServiceError(
    'connection_failed',
    'The URL of the upstream is not https on port 443. An operator can allow its origin for this connector in SVC_ALLOWED_ORIGINS.',
    { reason: 'unlisted_origin' },
  );

const isBlocked = (error: unknown): boolean =>
  error instanceof ServiceError && error.reason === 'blocked_address';

const CONNECT_TIMEOUT_MS = 5_000;

// Options of the TLS connection. They are set explicitly, because NODE_TLS_REJECT_UNAUTHORIZED and NODE_OPTIONS can
// change their defaults.
const settingsOf = ({ connectTimeoutMs: timeout = CONNECT_TIMEOUT_MS }: ConnectorOptions) =>
  ({ rejectUnauthorized: true, minVersion: 'TLSv1.2', allowH2: false, timeout }) as const;

const literalOf = ({ hostname }: Target): string => hostname.replace(/^\[|\]$/g, '');

/** Sets the host name that the TLS certificate must match, unless the host is an IP address. */
const withServerName = (target: Target): Target =>
  isIP(literalOf(target)) === 0 ? { ...target, servername: target.hostname } : target;

/**
 * Creates undici's connector only when the first connection is opened. Most commands of the program open no connection,
 * so they never load undici.
 */
function createLazyConnector(settings: buildConnector.BuildOptions): Connector {
  let open: Connector | undefined;
  return (target, callback) => {
    open ??= buildConnector(settings);
    open(target, callback);
  };
}

/**
 * Opens connections through the egress proxy of their target, or directly if there is none. The proxy resolves the host
 * name, so it must refuse names with private addresses (rule N3 in security-rules.md).
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

/**
 * Creates the function with which undici opens sockets to public origins (rules N2 and N4 in security-rules.md). It
 * allows only https on port 443, and checks the address before it connects.
 */
export function createCheckedConnector(options: ConnectorOptions): Connector {
  const ownAddresses = options.ownAddresses ?? readOwnAddresses;
  const lookup = createCheckedLookup(options.resolve ?? resolveHost, ownAddresses);
  const connect = throughProxy(options, createLazyConnector({ ...settingsOf(options), lookup }));

  return (target, callback) => {
    const report: buildConnector.Callback = (...args) => {
      if (isBlocked(args[0])) options.onBlocked?.(target.hostname);
      callback(...args);
    };
    const port = target.port || '443';
    if (target.protocol !== 'https:' || port !== '443') return report(unlistedOrigin(), null);
    // Checks an IP address here, because it needs no DNS lookup, so the lookup's check never sees it.
    const literal = literalOf(target);
    if (isIP(literal) !== 0 && isBlockedAddress(literal, ownAddresses())) {
      return report(blockedAddress(), null);
    }
    return connect(withServerName(target), report);
  };
}

/**
 * Creates the function that opens sockets to origins that the operator allows. It does not check their IP addresses.
 */
export function createListedConnector(options: ConnectorOptions): Connector {
  const listed = new Set(options.allowedOrigins?.map(({ origin }) => origin));
  const connect = throughProxy(options, createLazyConnector(settingsOf(options)));
  return (target, callback) => {
    const origin = `${target.protocol}//${target.host ?? target.hostname}`;
    return listed.has(origin) ? connect(withServerName(target), callback) : callback(unlistedOrigin(), null);
  };
}
