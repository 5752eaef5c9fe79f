import type { Connector, Inject } from '@svc/catalog';
import type { ResolvedAccount } from '../connections/resolved-account.js';
import { ServiceError } from '../errors.js';
import { createRequestHeaders } from './headers.js';
import { createInject, keyHeaderOf } from './inject.js';

/** How requests to one host of a connector are made: worked out once, when the connector is loaded. */
interface Host {
  /** Of the request, without credentials. */
  readonly headers: ReturnType<typeof createRequestHeaders>;
  readonly inject: ReturnType<typeof createInject>;
  /** Name of the account's further credential that goes there; absent: the account's own. */
  readonly credential?: string | undefined;
}

/** One host of a connector, as a connection reaches it: nothing of another host is ever sent there. */
export interface Destination {
  readonly baseUrl: string;
  readonly host: Host;
}

/** Where a request for a host goes; `undefined` is the connector's main host. */
export type FindDestination = (
  account: Pick<ResolvedAccount, 'baseUrl' | 'hosts'>,
  host: string | undefined,
) => Destination;

/** The headers that carry a credential of any host, in lower case: a caller's own never goes to another. */
const keyHeadersOf = ({ auth, hosts }: Connector): string[] =>
  [auth, ...Object.values(hosts)].flatMap(({ inject }) => (inject && keyHeaderOf(inject)) ?? []);

export function createFindDestination(connector: Connector): FindDestination {
  const { id, auth, headers, hosts, methodOverride } = connector;
  const keyHeaders = keyHeadersOf(connector);
  const compile = (defaults: Connector['headers'], inject: Inject): Host => ({
    headers: createRequestHeaders({ defaults, keyHeaders, methodOverride }),
    inject: createInject(inject),
  });
  const main = compile(headers, auth.inject);
  const further = new Map(
    Object.entries(hosts).map(([name, { headers: own, inject = auth.inject, credential, baseUrl }]) => [
      name,
      { baseUrl, host: { ...compile(own, inject), credential } },
    ]),
  );
  return (account, host) => {
    if (host === undefined) return { baseUrl: account.baseUrl, host: main };
    const found = further.get(host);
    if (found === undefined)
      throw new ServiceError('internal_error', `The connector "${id}" has no host "${host}".`);
    const own = Object.hasOwn(account.hosts, host) ? account.hosts[host] : undefined;
    return own === undefined ? found : { ...found, baseUrl: own };
  };
}
