import { ServiceError } from '../errors.js';

export interface Asked {
  /** Of the upstream, still as the caller wrote it. */
  readonly path: string;
  readonly query: string;
}

export interface ProxyTarget extends Asked {
  /** Where the proxy of the account is, as the caller wrote it. */
  readonly place: string;
  readonly connectionName: string;
  readonly identifier: string;
}

const MAX_PATH = 8_192;
const MAX_NAME_BYTES = 256;
const PLAIN = /^[\w.~@-]{1,256}$/;
// An upstream whose address is its root has no path of its own: clients write none.
const PARTS = /^\/v1\/proxy\/([^/]+)\/([^/]+)(\/.*)?$/s;

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

function decodeName(part: string, name: string): string {
  if (PLAIN.test(part)) return part;
  const decoded = decode(part);
  const isName =
    decoded !== undefined && Buffer.byteLength(decoded) <= MAX_NAME_BYTES && !/\p{Cc}/u.test(decoded);
  if (isName) return decoded;
  throw new ServiceError(
    'invalid_request',
    `The ${name} in the path must be 1 to ${MAX_NAME_BYTES} bytes of percent-encoded UTF-8 without control characters.`,
  );
}

/** Takes the raw request target apart, because every decoder on the way could read the upstream path differently. */
export function splitTarget(url: string): Asked {
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  if (path.length > MAX_PATH)
    throw new ServiceError('invalid_request', `The path must have at most ${MAX_PATH} characters.`);
  return { path, query: mark === -1 ? '' : url.slice(mark + 1) };
}

/** The same where the path names the account. */
export function parseProxyTarget(url: string): ProxyTarget {
  const { path: fullPath, query } = splitTarget(url);
  const [, connectionName = '', identifier = '', path = '/'] = PARTS.exec(fullPath) ?? [];
  if (identifier === '') {
    throw new ServiceError(
      'invalid_request',
      'The path must be /v1/proxy/{connectionName}/{identifier}/{upstream path}.',
    );
  }
  return {
    place: `/v1/proxy/${connectionName}/${identifier}`,
    connectionName: decodeName(connectionName, 'connection name'),
    identifier: decodeName(identifier, 'identifier'),
    path,
    query,
  };
}
