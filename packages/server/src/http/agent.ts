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
  /** Default: 30000. */
  readonly headersTimeoutMs?: number;
  /** Default: 30000. */
  readonly idleTimeoutMs?: number;
  /** Milliseconds that a connection waits for its next request. Default: 4000. */
  readonly keepAliveMs?: number;
}

/** The owner of a request, and its destination. */
export interface OutgoingRoute {
  /** Owner of the connections to use: the id of an application, or a name of the service's own. */
  readonly owner: string;
  /** The connector whose listed origins may be reached. Default: none. */
  readonly connector?: string | undefined;
  readonly origin: string;
}

/** The one HTTP client of the service. It follows no redirect and keeps no cookie. */
export interface Outgoing {
  /** Milliseconds for which the body of a response may be silent, unless its request says otherwise. */
  readonly idleTimeoutMs: number;
  readonly dispatcherFor: (route: OutgoingRoute) => Dispatcher;
  /** Loads the HTTP client, which the first request would otherwise wait for. */
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
    // The same limit holds when the upstream offers more.
    keepAliveMaxTimeout: keepAliveMs,
    allowH2: false,
  };
  return createOwners(client, options);
}

/**
 * Creates the client with two sets of pools. A connection to a private address is listed for one connector, and never serves a request of
 * another one.
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
