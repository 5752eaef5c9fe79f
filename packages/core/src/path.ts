import { ServiceError } from './errors.js';

/** Joins values to a path of the service, each as exactly one segment. */
export const path = (...segments: readonly string[]): string => `/v1/${segments.map(segment).join('/')}`;

function segment(value: string): string {
  // encodeURIComponent keeps dots, and a lone dot segment would climb out of the path.
  if (/^\.{0,2}$/.test(value)) throw refused(`"${value}" cannot name anything: give a name or an id`);
  return encodeURIComponent(value);
}

/** Lets an upstream's path pass unless the platform would rewrite it, and so lead elsewhere. */
export function upstreamPath(given: string): string {
  const [beforeQuery = ''] = given.split('?', 1);
  const isRewritten = /^(?!\/)|\\|\/(\.|%2e){1,2}(\/| *$)/i.test(beforeQuery) || /[\p{Cc}#]/u.test(given);
  if (isRewritten) throw refused(`The path "${given}" must begin with "/" and be free of "..", "\\" and "#"`);
  return given;
}

const refused = (message: string) => new ServiceError('invalid_request', message);
