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
  /** Maximum wait for the upstream's response headers, in milliseconds. Default: 30000. */
  readonly headersTimeoutMs?: number;
  /** Maximum time between two chunks of a response body, in milliseconds. Default: 30000. */
  readonly idleTimeoutMs?: number;
  /** Time in milliseconds for which an idle connection stays open for the next request. Default: 4000. */
  readonly keepAliveMs?: number;
}

/** Sender and target origin of a request. They determine its connection pool. */
export interface OutgoingRoute {
  /**
   * Id of the application that sends the request, or a name for requests of the service itself. Owners never share
   * connections.
   */
  readonly owner: string;
  /**
   * Id of the connector that the request is for. The operator can allow private or http origins for one connector. If
   * the id is absent, only public https origins are reachable.
   */
  readonly connector?: string | undefined;
  readonly origin: string;
}

/** Interface of the service's only HTTP client. It follows no redirects and stores no cookies. */
export interface Outgoing {
  /** Default for the maximum time between two chunks of a response body, in milliseconds. */
  readonly idleTimeoutMs: number;
  readonly dispatcherFor: (route: OutgoingRoute) => Dispatcher;
  /** Loads the undici library in advance, so that the first request does not wait for it. */
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
 * Creates the HTTP client with two sets of connection pools: one for public origins, and one for origins that the
 * operator allows for a single connector. A connection to such an origin never serves another connector.
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
