import { isIP } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { type AllowedOrigin, createIsAllowedOrigin } from '../allowed-origins.js';
import { ServiceError } from '../errors.js';
import { isBlockedAddress, readOwnAddresses } from './addresses.js';
import { blockedAddress, createCheckedLookup, type ResolveHost, resolveHost } from './checked-lookup.js';

export interface AgentOptions {
  /** Origins that an operator lists for a connector; they may be http, on any port, and on private addresses. */
  readonly allowedOrigins?: readonly AllowedOrigin[];
  readonly resolve?: ResolveHost;
  readonly ownAddresses?: () => readonly string[];
  /** Told of every host that was not dialled because of its address (rule N3). */
  readonly onBlocked?: (hostname: string) => void;
  readonly connectTimeoutMs?: number;
  readonly headersTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
}

const MAX_RESPONSE_HEADERS = 64 * 1024;

/** Whose request it is, and where it goes. */
export interface Way {
  /** Absent: nothing is listed for it. */
  readonly connector?: string | undefined;
  readonly origin: string;
}

/** The one HTTP client of the service. It follows no redirect and keeps no cookie. */
export interface Outgoing {
  readonly dispatcherFor: (way: Way) => Dispatcher;
  readonly close: () => Promise<void>;
  readonly destroy: () => Promise<void>;
}

const unlistedOrigin = (): ServiceError =>
  new ServiceError(
    'connection_failed',
    'The origin of the upstream is neither https on port 443 nor listed for its connector in SVC_ALLOWED_ORIGINS.',
    { reason: 'unlisted_origin' },
  );

const isBlocked = (error: unknown): boolean =>
  error instanceof ServiceError && error.details?.['reason'] === 'blocked_address';

const timeoutOf = ({ connectTimeoutMs = 5_000 }: AgentOptions): number => connectTimeoutMs;

/** Opens connections by rules N2 and N4: only as https:443 on a checked address. */
function createCheckedConnector(options: AgentOptions): buildConnector.connector {
  const ownAddresses = options.ownAddresses ?? readOwnAddresses;
  const lookup = createCheckedLookup(options.resolve ?? resolveHost, ownAddresses);
  const connectChecked = buildConnector({ timeout: timeoutOf(options), allowH2: false, lookup });

  return (target, answer) => {
    const callback: buildConnector.Callback = (...args) => {
      if (isBlocked(args[0])) options.onBlocked?.(target.hostname);
      answer(...args);
    };
    const port = target.port || '443';
    if (target.protocol !== 'https:' || port !== '443') return callback(unlistedOrigin(), null);
    // The resolver hook never sees a literal address.
    const literal = target.hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) !== 0 && isBlockedAddress(literal, ownAddresses())) {
      return callback(blockedAddress(), null);
    }
    return connectChecked(target, callback);
  };
}

/** Opens connections to what is listed, as it is. */
function createListedConnector(options: AgentOptions): buildConnector.connector {
  const listed = new Set(options.allowedOrigins?.map(({ origin }) => origin));
  const connect = buildConnector({ timeout: timeoutOf(options), allowH2: false });
  return (target, callback) => {
    const origin = `${target.protocol}//${target.host ?? target.hostname}`;
    return listed.has(origin) ? connect(target, callback) : callback(unlistedOrigin(), null);
  };
}

const createPools = (options: AgentOptions, connect: buildConnector.connector): Agent =>
  new Agent({
    connect,
    headersTimeout: options.headersTimeoutMs ?? 30_000,
    bodyTimeout: options.idleTimeoutMs ?? 30_000,
    maxHeaderSize: MAX_RESPONSE_HEADERS,
    keepAliveTimeout: 4_000,
    allowH2: false,
  });

/**
 * Two sets of pools, so that a connection to a private address, opened for a connector that it is listed for, never serves
 * the request of another one.
 */
export function createAgent(options: AgentOptions = {}): Outgoing {
  const isAllowed = createIsAllowedOrigin(options.allowedOrigins ?? []);
  const checked = createPools(options, createCheckedConnector(options));
  const listed = createPools(options, createListedConnector(options));
  return {
    dispatcherFor: ({ connector, origin }) =>
      connector !== undefined && isAllowed(connector, origin) ? listed : checked,
    close: async () => void (await Promise.all([checked.close(), listed.close()])),
    destroy: async () => void (await Promise.all([checked.destroy(), listed.destroy()])),
  };
}
