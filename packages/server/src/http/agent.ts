import { isIP } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { ServiceError } from '../errors.js';
import { isBlockedAddress, readOwnAddresses } from './addresses.js';
import { blockedAddress, createCheckedLookup, type ResolveHost, resolveHost } from './checked-lookup.js';

export interface AgentOptions {
  /** Origins an operator lists; they may be http, on any port, and on private addresses. */
  readonly allowedOrigins?: readonly string[];
  readonly resolve?: ResolveHost;
  readonly ownAddresses?: () => readonly string[];
  /** Told of every host that was not dialled because of its address (rule N3). */
  readonly onBlocked?: (hostname: string) => void;
  readonly connectTimeoutMs?: number;
  readonly headersTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
}

const MAX_RESPONSE_HEADERS = 64 * 1024;

const unlistedOrigin = (): ServiceError =>
  new ServiceError(
    'connection_failed',
    'The origin of the upstream is neither https on port 443 nor listed in SVC_ALLOWED_ORIGINS.',
    { reason: 'unlisted_origin' },
  );

const isBlocked = (error: unknown): boolean =>
  error instanceof ServiceError && error.details?.['reason'] === 'blocked_address';

/** Opens connections by rules N2 and N4: a listed origin as it is, any other only as https:443 on a checked address. */
function createConnector(options: AgentOptions): buildConnector.connector {
  const allowed = new Set(options.allowedOrigins ?? []);
  const ownAddresses = options.ownAddresses ?? readOwnAddresses;
  const timeout = options.connectTimeoutMs ?? 5_000;
  const connectListed = buildConnector({ timeout, allowH2: false });
  const lookup = createCheckedLookup(options.resolve ?? resolveHost, ownAddresses);
  const connectChecked = buildConnector({ timeout, allowH2: false, lookup });

  return (target, answer) => {
    const callback: buildConnector.Callback = (...args) => {
      if (isBlocked(args[0])) options.onBlocked?.(target.hostname);
      answer(...args);
    };
    const origin = `${target.protocol}//${target.host ?? target.hostname}`;
    if (allowed.has(origin)) return connectListed(target, callback);
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

/** The one HTTP client of the service. It follows no redirect and keeps no cookie. */
export function createAgent(options: AgentOptions = {}): Agent {
  return new Agent({
    connect: createConnector(options),
    headersTimeout: options.headersTimeoutMs ?? 30_000,
    bodyTimeout: options.idleTimeoutMs ?? 30_000,
    maxHeaderSize: MAX_RESPONSE_HEADERS,
    keepAliveTimeout: 4_000,
    allowH2: false,
  });
}
