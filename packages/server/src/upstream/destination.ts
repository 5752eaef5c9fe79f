import type { Connector, Inject } from '@svc/catalog';
import type { ResolvedAccount } from '../connections/resolved-account.js';
import { ServiceError } from '../errors.js';
import { createRequestHeaders } from './headers.js';
import { createInject, keyHeaderOf } from './inject.js';

/** Request builders for one host of a connector. They are compiled once, when the connector is loaded. */
interface Host {
  /** Builds the headers of a request, without the headers that carry credentials. */
  readonly headers: ReturnType<typeof createRequestHeaders>;
  readonly inject: ReturnType<typeof createInject>;
  /** Name of the account's secondary credential for this host. Default: the account's own credential. */
  readonly credential?: string | undefined;
}

/** One host of a connector, with the base URL that a connection of an application gives it. */
export interface Destination {
  readonly baseUrl: string;
  readonly host: Host;
}

/**
 * Returns the lower-case names of all headers that carry a credential of some host. A caller's own value for such a
 * header is never sent.
 */
const keyHeadersOf = ({ auth, hosts }: Connector): string[] =>
  [auth, ...Object.values(hosts)].flatMap(({ inject }) => (inject && keyHeaderOf(inject)) ?? []);

export function createFindDestination(connector: Connector) {
  const { id, auth, headers, hosts, methodOverride } = connector;
  const keyHeaders = keyHeadersOf(connector);
  const compile = (defaults: Connector['headers'], inject: Inject): Host => ({
    headers: createRequestHeaders({ defaults, keyHeaders, methodOverride }),
    inject: createInject(inject),
  });
  const main = compile(headers, auth.inject);
  const otherHosts = new Map(
    Object.entries(hosts).map(([name, { headers: own, inject = auth.inject, credential, baseUrl }]) => [
      name,
      { baseUrl, host: { ...compile(own, inject), credential } },
    ]),
  );
  /** Finds the destination of a named host. `undefined` names the connector's main host. */
  return function findDestination(
    account: Pick<ResolvedAccount, 'baseUrl' | 'hosts'>,
    host: string | undefined,
  ): Destination {
    if (host === undefined) return { baseUrl: account.baseUrl, host: main };
    const found = otherHosts.get(host);
    if (found === undefined)
      throw new ServiceError('internal_error', `The connector "${id}" has no host "${host}".`);
    const own = Object.hasOwn(account.hosts, host) ? account.hosts[host] : undefined;
    return own === undefined ? found : { ...found, baseUrl: own };
  };
}
