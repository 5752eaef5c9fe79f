import type { IncomingHttpHeaders } from 'node:http';
import type { Connector } from '@svc/catalog';
import { ServiceError } from '../errors.js';

/** Another method than that of the request, which a header names. */
export interface MethodOverride {
  readonly header: string;
  readonly method: string;
}

const HEADERS = ['x-http-method-override', 'x-http-method', 'x-method-override'];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

export function readMethodOverride(headers: IncomingHttpHeaders): MethodOverride | undefined {
  const header = HEADERS.find((name) => headers[name] !== undefined);
  if (header === undefined) return undefined;
  return { header, method: String(headers[header]).trim().toUpperCase() };
}

/** The method that a request is checked as: an upstream that hears the header does what it says, any other one does not. */
export function checkedMethod(
  method: string,
  override: MethodOverride | undefined,
  connector: Pick<Connector, 'title' | 'methodOverride'> | undefined,
): string {
  if (override === undefined) return method;
  const isHeard = connector?.methodOverride?.toLowerCase() === override.header;
  if (isHeard && method === 'POST' && METHODS.includes(override.method)) return override.method;
  throw new ServiceError(
    'invalid_request',
    isHeard
      ? `The header ${override.header} goes with POST, and names one of ${METHODS.join(', ')}.`
      : `${connector?.title ?? 'The upstream'} does not hear the header ${override.header}: send the request with the method that it names.`,
  );
}
