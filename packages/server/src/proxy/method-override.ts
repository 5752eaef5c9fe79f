import type { IncomingHttpHeaders } from 'node:http';
import type { Connector } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import { decodeAscii } from '../upstream/canonical-path.js';
import { namesIn } from '../upstream/headers.js';

/** Another method than that of the request, which a header names. */
export interface MethodOverride {
  readonly header: string;
  readonly method: string;
}

const HEADERS = ['x-http-method-override', 'x-http-method', 'x-method-override'];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Throws invalid_request for one that the upstream would not read as it is read here, so that it did something else. */
export function readMethodOverride(headers: IncomingHttpHeaders): MethodOverride | undefined {
  const header = HEADERS.find((name) => headers[name] !== undefined);
  if (header === undefined) return undefined;
  // What Connection names is not sent on: the upstream would do what the method of the request says.
  const ending = namesIn(headers.connection ?? '');
  if (HEADERS.some((name) => ending.includes(name)))
    throw new ServiceError(
      'invalid_request',
      `Connection names ${header}, which would end here: leave one out.`,
    );
  const method = String(headers[header]);
  if (METHODS.includes(method)) return { header, method };
  throw new ServiceError(
    'invalid_request',
    `The header ${header} names one method of ${METHODS.join(', ')}, in capital letters.`,
  );
}

/** The method that a request is checked as: an upstream that hears the header does what it says, any other one does not. */
export function checkedMethod(
  method: string,
  override: MethodOverride | undefined,
  connector: Pick<Connector, 'title' | 'methodOverride'> | undefined,
): string {
  if (override === undefined) return method;
  const isHeard = connector?.methodOverride?.toLowerCase() === override.header;
  if (isHeard && method === 'POST') return override.method;
  throw new ServiceError(
    'invalid_request',
    isHeard
      ? `The header ${override.header} goes with POST.`
      : `${connector?.title ?? 'The upstream'} does not hear the header ${override.header}: send the request with the method that it names.`,
  );
}

// Readers part a query at ";" too, and take brackets and spaces around a name for nothing.
const SEPARATOR = /[&;]/;
const NAME = /[\w$]+/;

const nameOf = (text: string): string | undefined =>
  NAME.exec(decodeAscii(text.split('=', 1)[0] ?? ''))?.[0].toLowerCase();

/** A host has one spelling of a method, that of the request: throws invalid_request for another one in the query. */
export function refuseMethodIn(
  query: string,
  connector: Pick<Connector, 'title' | 'methodParameters'> | undefined,
): void {
  if (query === '' || connector?.methodParameters === undefined) return;
  const names = query.split(SEPARATOR).map(nameOf);
  const found = connector.methodParameters.find((name) => names.includes(name.toLowerCase()));
  if (found === undefined) return;
  throw new ServiceError(
    'invalid_request',
    `${connector.title} takes another method from the query parameter ${found}: leave it out, and send the request with its method and headers.`,
  );
}
