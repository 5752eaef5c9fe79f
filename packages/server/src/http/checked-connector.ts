import { isIP } from 'node:net';
import { buildConnector } from 'undici';
import { ServiceError } from '../errors.js';
import type { AllowedOrigin } from '../names/allowed-origins.js';
import { isBlockedAddress, readOwnAddresses } from './blocked-addresses.js';
import { blockedAddress, createCheckedLookup, type ResolveHost, resolveHost } from './checked-lookup.js';
import type { FindEgressProxy } from './egress-proxy.js';
import { openTunnel } from './egress-tunnel.js';

export interface ConnectorOptions {
  /** Origins that an operator lists for a connector. Their URLs may use http, any port and private addresses. */
  readonly allowedOrigins?: readonly AllowedOrigin[];
  readonly resolve?: ResolveHost;
  readonly ownAddresses?: () => readonly string[];
  /**
   * Called with the host name of each connection that was refused because of its address (rule N3 in
   * security-rules.md).
   */
  readonly onBlocked?: (hostname: string) => void;
  /** Time limit for opening a connection, in milliseconds. Default: 5000. */
  readonly connectTimeoutMs?: number;
  /** Returns the egress proxy for a target. Default: connections are direct. */
  readonly findEgressProxy?: FindEgressProxy;
}

export type Connector = buildConnector.connector;
type Target = buildConnector.Options;

const unlistedOrigin = (): ServiceError =>
  new ServiceError(
    'connection_failed',
    'The URL of the upstream is not https on port 443. To allow its origin for this connector, add it to SVC_ALLOWED_ORIGINS.',
    { reason: 'unlisted_origin' },
  );

const isBlocked = (error: unknown): boolean =>
  error instanceof ServiceError && error.reason === 'blocked_address';

const CONNECT_TIMEOUT_MS = 5_000;

// Sets the TLS options explicitly, because NODE_TLS_REJECT_UNAUTHORIZED and NODE_OPTIONS can change their defaults.
const settingsOf = ({ connectTimeoutMs: timeout = CONNECT_TIMEOUT_MS }: ConnectorOptions) =>
  ({ rejectUnauthorized: true, minVersion: 'TLSv1.2', allowH2: false, timeout }) as const;

const literalOf = ({ hostname }: Target): string => hostname.replace(/^\[|\]$/g, '');

/** Sets the host name that the TLS certificate must match. An IP address needs none. */
const withServerName = (target: Target): Target =>
  isIP(literalOf(target)) === 0 ? { ...target, servername: target.hostname } : target;

/** Creates undici's connector at the first connection. Most commands open no connection and so never load undici. */
function createLazyConnector(settings: buildConnector.BuildOptions): Connector {
  let open: Connector | undefined;
  return (target, callback) => {
    open ??= buildConnector(settings);
    open(target, callback);
  };
}

/**
 * Opens connections through the egress proxy of their target, if it has one. The proxy then resolves the host name, so
 * the proxy must refuse names of private addresses (rule N3 in security-rules.md).
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
 * Creates the undici function that opens sockets to public origins (rules N2 and N4 in security-rules.md). It allows
 * https on port 443 only, and checks the address before it connects.
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
    // Checks an IP address here, because it needs no DNS lookup and so never reaches the checked resolver.
    const literal = literalOf(target);
    if (isIP(literal) !== 0 && isBlockedAddress(literal, ownAddresses())) {
      return report(blockedAddress(), null);
    }
    return connect(withServerName(target), report);
  };
}

/**
 * Creates the function that opens sockets to origins that an operator has listed. The function does not check their IP
 * addresses.
 */
export function createListedConnector(options: ConnectorOptions): Connector {
  const listed = new Set(options.allowedOrigins?.map(({ origin }) => origin));
  const connect = throughProxy(options, createLazyConnector(settingsOf(options)));
  return (target, callback) => {
    const origin = `${target.protocol}//${target.host ?? target.hostname}`;
    return listed.has(origin) ? connect(withServerName(target), callback) : callback(unlistedOrigin(), null);
  };
}
