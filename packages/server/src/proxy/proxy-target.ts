import { MAX_IDENTIFIER_BYTES } from '../connections/account-name.js';
import { ServiceError } from '../errors.js';

export interface RequestedPath {
  /** Path of a proxied request at the upstream, exactly as the caller spelled it. */
  readonly path: string;
  readonly query: string;
}

export interface ProxyTarget extends RequestedPath {
  /** Path of the account's proxy in the request URL, exactly as the caller spelled it. */
  readonly proxyPath: string;
  readonly connectionName: string;
  readonly identifier: string;
}

const MAX_PATH_CHARACTERS = 8_192;
const PLAIN = /^[\w.~@-]{1,256}$/;
// Pattern of a proxy path: connection name, identifier, and optional upstream path. Clients send no upstream path if
// the upstream is at the root of its host.
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
    decoded !== undefined && Buffer.byteLength(decoded) <= MAX_IDENTIFIER_BYTES && !/\p{Cc}/u.test(decoded);
  if (isName) return decoded;
  throw new ServiceError(
    'invalid_request',
    `The ${name} in the path is invalid. Send 1 to ${MAX_IDENTIFIER_BYTES} bytes of percent-encoded UTF-8 without control characters.`,
  );
}

/**
 * Splits a request target into path and query. Does not decode the path, because proxy and upstream may decode it
 * differently.
 */
export function splitTarget(url: string): RequestedPath {
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  if (path.length > MAX_PATH_CHARACTERS)
    throw new ServiceError(
      'invalid_request',
      `The path is longer than ${MAX_PATH_CHARACTERS} characters. Shorten it.`,
    );
  return { path, query: mark === -1 ? '' : url.slice(mark + 1) };
}

/** Splits the target of a proxied request into connection name, identifier, upstream path and query. */
export function parseProxyTarget(url: string): ProxyTarget {
  const { path: fullPath, query } = splitTarget(url);
  const [, connectionName = '', identifier = '', path = '/'] = PARTS.exec(fullPath) ?? [];
  if (identifier === '') {
    throw new ServiceError(
      'invalid_request',
      'The path is incomplete. Use /v1/proxy/{connectionName}/{identifier}/{upstream path}.',
    );
  }
  return {
    proxyPath: `/v1/proxy/${connectionName}/${identifier}`,
    connectionName: decodeName(connectionName, 'connection name'),
    identifier: decodeName(identifier, 'identifier'),
    path,
    query,
  };
}
