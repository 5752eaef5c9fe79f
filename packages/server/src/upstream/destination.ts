import type { Connector, Inject } from '@svc/catalog';
import type { ResolvedAccount } from '../connections/resolve.js';
import { ServiceError } from '../errors.js';

/** One host of a connector, as a connection reaches it: nothing of another host is ever sent there. */
export interface Destination {
  readonly baseUrl: string;
  /** Sent when the caller gives none of that name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly inject: Inject;
  /** Name of the account's further credential that goes there; absent: the account's own. */
  readonly credential?: string | undefined;
}

/** Where a request for a host goes; `undefined` is the connector's main host. */
export function destinationOf(
  { id, auth, headers, hosts }: Connector,
  account: ResolvedAccount,
  host: string | undefined,
): Destination {
  if (host === undefined) return { baseUrl: account.baseUrl, headers, inject: auth.inject };
  const found = Object.hasOwn(hosts, host) ? hosts[host] : undefined;
  const baseUrl = Object.hasOwn(account.hosts, host) ? account.hosts[host] : found?.baseUrl;
  if (found === undefined || baseUrl === undefined) {
    throw new ServiceError('internal_error', `The connector "${id}" has no host "${host}".`);
  }
  return {
    baseUrl,
    headers: found.headers,
    inject: found.inject ?? auth.inject,
    credential: found.credential,
  };
}

/** The headers that carry a credential of any host, in lower case: a caller's own never goes to another. */
export const keyHeadersOf = ({ auth, hosts }: Connector): string[] =>
  [auth, ...Object.values(hosts)].flatMap(({ inject }) => inject?.header.toLowerCase() ?? []);
