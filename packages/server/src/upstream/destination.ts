import type { Connector, Inject } from '@svc/catalog';
import type { ResolvedAccount } from '../connections/resolved-account.js';
import { internalError } from '../errors.js';
import { createRequestHeaders } from './headers.js';
import { createInject, keyHeaderOf } from './inject.js';

/**
 * Functions that build requests for one host of a connector. They are created once, when the service loads the
 * connector.
 */
interface Host {
  /** Builds the request headers, except the headers that carry credentials. */
  readonly headers: ReturnType<typeof createRequestHeaders>;
  readonly inject: ReturnType<typeof createInject>;
  /**
   * Name of the account's secondary credential that requests to this host carry. If absent, they carry the account's
   * main credential.
   */
  readonly credential?: string | undefined;
}

/** Host of a connector, with the base URL that the connection uses for it. */
export interface Destination {
  readonly baseUrl: string;
  readonly host: Host;
}

/**
 * Returns the lower-case names of all headers that carry a credential for one of the connector's hosts. A caller must
 * not set these headers.
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
  /** Finds the destination for a named host of the connector. If `host` is `undefined`, returns the main host. */
  return function findDestination(
    account: Pick<ResolvedAccount, 'baseUrl' | 'hosts'>,
    host: string | undefined,
  ): Destination {
    if (host === undefined) return { baseUrl: account.baseUrl, host: main };
    const definition = otherHosts.get(host);
    if (definition === undefined)
      throw internalError(
        `The connector "${id}" has no host "${host}". Add the host to "hosts" in connector.json.`,
      );
    const own = Object.hasOwn(account.hosts, host) ? account.hosts[host] : undefined;
    return own === undefined ? definition : { ...definition, baseUrl: own };
  };
}
