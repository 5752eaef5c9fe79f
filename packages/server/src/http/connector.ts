import { isIP } from 'node:net';
import { buildConnector } from 'undici';
import { ServiceError } from '../errors.js';
import type { AllowedOrigin } from '../names/allowed-origins.js';
import { isBlockedAddress, readOwnAddresses } from './addresses.js';
import { blockedAddress, createCheckedLookup, type ResolveHost, resolveHost } from './checked-lookup.js';

export interface ConnectorOptions {
  /** Origins that an operator lists for a connector; they may be http, on any port, and on private addresses. */
  readonly allowedOrigins?: readonly AllowedOrigin[];
  readonly resolve?: ResolveHost;
  readonly ownAddresses?: () => readonly string[];
  /** Told of every host that was not dialled because of its address (rule N3). */
  readonly onBlocked?: (hostname: string) => void;
  readonly connectTimeoutMs?: number;
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

// Said here, because what is not said follows the environment: NODE_TLS_REJECT_UNAUTHORIZED and NODE_OPTIONS.
const settingsOf = ({ connectTimeoutMs: timeout = 5_000 }: ConnectorOptions) =>
  ({ rejectUnauthorized: true, minVersion: 'TLSv1.2', allowH2: false, timeout }) as const;

const literalOf = ({ hostname }: Target): string => hostname.replace(/^\[|\]$/g, '');

/** The name that a certificate must be for; one for a literal address needs no asking. */
const named = (target: Target): Target =>
  isIP(literalOf(target)) === 0 ? { ...target, servername: target.hostname } : target;

/** The way of undici, made for the first connection: most commands open none, and do not load it. */
function createOpen(settings: buildConnector.BuildOptions): Connector {
  let open: Connector | undefined;
  return (target, callback) => {
    open ??= buildConnector(settings);
    open(target, callback);
  };
}

/** Opens connections by rules N2 and N4: only as https:443 on a checked address. */
export function createCheckedConnector(options: ConnectorOptions): Connector {
  const ownAddresses = options.ownAddresses ?? readOwnAddresses;
  const lookup = createCheckedLookup(options.resolve ?? resolveHost, ownAddresses);
  const connect = createOpen({ ...settingsOf(options), lookup });

  return (target, answer) => {
    const callback: buildConnector.Callback = (...args) => {
      if (isBlocked(args[0])) options.onBlocked?.(target.hostname);
      answer(...args);
    };
    const port = target.port || '443';
    if (target.protocol !== 'https:' || port !== '443') return callback(unlistedOrigin(), null);
    // The resolver hook never sees a literal address.
    const literal = literalOf(target);
    if (isIP(literal) !== 0 && isBlockedAddress(literal, ownAddresses())) {
      return callback(blockedAddress(), null);
    }
    return connect(named(target), callback);
  };
}

/** Opens connections to what is listed, as it is. */
export function createListedConnector(options: ConnectorOptions): Connector {
  const listed = new Set(options.allowedOrigins?.map(({ origin }) => origin));
  const connect = createOpen(settingsOf(options));
  return (target, callback) => {
    const origin = `${target.protocol}//${target.host ?? target.hostname}`;
    return listed.has(origin) ? connect(named(target), callback) : callback(unlistedOrigin(), null);
  };
}
