import type { IncomingHttpHeaders } from 'node:http';
import type { Connector } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import { decodeAscii } from '../upstream/canonical-path.js';
import { namesIn } from '../upstream/headers.js';

/** Header by which the caller asks the upstream to treat the request as if it had another HTTP method. */
export interface MethodOverride {
  readonly header: string;
  readonly method: string;
}

const HEADERS = ['x-http-method-override', 'x-http-method', 'x-method-override'];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Returns the method in an override header without further checks, or `undefined` if there is no valid one. */
export function overriddenMethod(headers: IncomingHttpHeaders): string | undefined {
  const header = HEADERS.find((name) => headers[name] !== undefined);
  const method = header && String(headers[header]);
  return method !== undefined && METHODS.includes(method) ? method : undefined;
}

/**
 * Reads a header that overrides the HTTP method. Throws `invalid_request` for values that upstreams could interpret
 * differently.
 */
export function readMethodOverride(headers: IncomingHttpHeaders): MethodOverride | undefined {
  const header = HEADERS.find((name) => headers[name] !== undefined);
  if (header === undefined) return undefined;
  // Refuses an override header that the `Connection` header lists, because the proxy would not forward it. The upstream
  // would then use the real method instead of the checked one.
  const ending = namesIn(headers.connection ?? '');
  const removed = HEADERS.find((name) => ending.includes(name));
  if (removed !== undefined)
    throw new ServiceError(
      'invalid_request',
      `The header "Connection" lists "${removed}", a header that overrides the HTTP method. Remove "${removed}" from the header "Connection".`,
    );
  const method = String(headers[header]);
  if (METHODS.includes(method)) return { header, method };
  throw new ServiceError(
    'invalid_request',
    `The header "${header}" must be one of ${METHODS.join(', ')}, in capital letters.`,
  );
}

/**
 * Returns the HTTP method that the upstream will execute: the one in the override header, or `method` without this
 * header. The proxy compares it with the methods that its routes allow. Throws `invalid_request` if the upstream would
 * ignore the header.
 */
export function checkedMethod(
  method: string,
  override: MethodOverride | undefined,
  connector: Pick<Connector, 'title' | 'methodOverride'> | undefined,
): string {
  if (override === undefined) return method;
  const isSupported = connector?.methodOverride?.toLowerCase() === override.header;
  if (isSupported && method === 'POST') return override.method;
  throw new ServiceError(
    'invalid_request',
    isSupported
      ? `The header ${override.header} is only allowed with POST. Send the request with POST, or omit the header.`
      : `${connector?.title ?? 'The upstream'} does not support the header ${override.header}. Omit the header, and send the request with the HTTP method that you need.`,
  );
}

// Separators of a query, and the name in a parameter, in every form that an upstream could read. Some upstreams also
// split at ";", and ignore brackets and spaces around a name.
const SEPARATOR = /[&;]/;
const NAME = /[\w$]+/;

const nameOf = (text: string): string | undefined =>
  NAME.exec(decodeAscii(text.split('=', 1)[0] ?? ''))?.[0].toLowerCase();

/** Throws `invalid_request` if a query parameter would change the method that the upstream executes. */
export function refuseMethodIn(
  query: string,
  connector: Pick<Connector, 'title' | 'methodParameters'> | undefined,
): void {
  if (query === '' || connector?.methodParameters === undefined) return;
  const names = query.split(SEPARATOR).map(nameOf);
  const parameter = connector.methodParameters.find((name) => names.includes(name.toLowerCase()));
  if (parameter === undefined) return;
  throw new ServiceError(
    'invalid_request',
    `The query parameter "${parameter}" would override the HTTP method at ${connector.title}. Omit the parameter, and send the request itself with the HTTP method that you need.`,
  );
}
