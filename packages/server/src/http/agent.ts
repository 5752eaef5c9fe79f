import type { Dispatcher } from 'undici';
import { createIsAllowedOrigin } from '../names/allowed-origins.js';
import {
  type Connector,
  type ConnectorOptions,
  createCheckedConnector,
  createListedConnector,
} from './checked-connector.js';
import { createOwners, type Owners, type OwnersOptions } from './owners.js';

export interface AgentOptions extends ConnectorOptions, OwnersOptions {
  /** Maximum wait for the response headers, in milliseconds. Default: 30000. */
  readonly headersTimeoutMs?: number;
  /** Maximum silence between two chunks of a response body, in milliseconds. Default: 30000. */
  readonly idleTimeoutMs?: number;
  /** Milliseconds for which an idle connection is kept open for the next request. Default: 4000. */
  readonly keepAliveMs?: number;
}

/** Describes who sends a request and to which origin. Selects the connection pool. */
export interface OutgoingRoute {
  /** Application id, or a name for the service's own requests. Connections are never shared between owners. */
  readonly owner: string;
  /**
   * Id of the connector that the request is for. The operator can allow private or http origins for a connector.
   * Only public https origins are reachable when the id is absent.
   */
  readonly connector?: string | undefined;
  readonly origin: string;
}

/** The only HTTP client of the service. It follows no redirects and keeps no cookies. */
export interface Outgoing {
  /** Default for the maximum silence between two chunks of a response body, in milliseconds. */
  readonly idleTimeoutMs: number;
  readonly dispatcherFor: (route: OutgoingRoute) => Dispatcher;
  /** Loads undici now, so that the first request does not wait for it. */
  readonly prepare: () => void;
  readonly close: () => Promise<void>;
  readonly destroy: () => Promise<void>;
}

const MAX_RESPONSE_HEADERS = 64 * 1024;

const IDLE_TIMEOUT_MS = 30_000;

function createPools(options: AgentOptions, connect: Connector): Owners {
  const { headersTimeoutMs = 30_000, idleTimeoutMs = IDLE_TIMEOUT_MS, keepAliveMs = 4_000 } = options;
  const client = {
    connect,
    headersTimeout: headersTimeoutMs,
    bodyTimeout: idleTimeoutMs,
    maxHeaderSize: MAX_RESPONSE_HEADERS,
    keepAliveTimeout: keepAliveMs,
    // Closes an idle connection after `keepAliveMs`, even if the Keep-Alive header of the upstream announces a longer
    // time.
    keepAliveMaxTimeout: keepAliveMs,
    allowH2: false,
  };
  return createOwners(client, options);
}

/**
 * Creates the HTTP client with two sets of connection pools: for public origins, and for the origins that an operator
 * lists for one connector. A connection to a listed private address never serves another connector.
 */
export function createAgent(options: AgentOptions = {}): Outgoing {
  const isAllowed = createIsAllowedOrigin(options.allowedOrigins ?? []);
  const checked = createPools(options, createCheckedConnector(options));
  const listed = createPools(options, createListedConnector(options));
  return {
    idleTimeoutMs: options.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
    dispatcherFor: ({ owner, connector, origin }) =>
      (connector !== undefined && isAllowed(connector, origin) ? listed : checked).of(owner),
    prepare: () => void checked.of('service'),
    close: async () => void (await Promise.all([checked.close(), listed.close()])),
    destroy: async () => void (await Promise.all([checked.destroy(), listed.destroy()])),
  };
}
