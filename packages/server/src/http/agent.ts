import type { Dispatcher } from 'undici';
import { createIsAllowedOrigin } from '../names/allowed-origins.js';
import {
  type Connector,
  type ConnectorOptions,
  createCheckedConnector,
  createListedConnector,
} from './connector.js';
import { createOwners, type Owners, type OwnersOptions } from './owners.js';

export interface AgentOptions extends ConnectorOptions, OwnersOptions {
  readonly headersTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
  /** How long a connection waits for its next request. */
  readonly keepAliveMs?: number;
}

/** Whose request it is, and where it goes. */
export interface Way {
  /** By whose connections: an application's id, or what serves none. */
  readonly owner: string;
  /** Absent: nothing is listed for it. */
  readonly connector?: string | undefined;
  readonly origin: string;
}

/** The one HTTP client of the service. It follows no redirect and keeps no cookie. */
export interface Outgoing {
  readonly dispatcherFor: (way: Way) => Dispatcher;
  /** Loads what sends requests: the first one would wait for it, and a process that sends none does without. */
  readonly prepare: () => void;
  readonly close: () => Promise<void>;
  readonly destroy: () => Promise<void>;
}

const MAX_RESPONSE_HEADERS = 64 * 1024;

function createPools(options: AgentOptions, connect: Connector): Owners {
  const { headersTimeoutMs = 30_000, idleTimeoutMs = 30_000, keepAliveMs = 4_000 } = options;
  const client = {
    connect,
    headersTimeout: headersTimeoutMs,
    bodyTimeout: idleTimeoutMs,
    maxHeaderSize: MAX_RESPONSE_HEADERS,
    keepAliveTimeout: keepAliveMs,
    // However long an upstream says that it would wait.
    keepAliveMaxTimeout: keepAliveMs,
    allowH2: false,
  };
  return createOwners(client, options);
}

/**
 * Two sets of pools, so that a connection to a private address, opened for a connector that it is listed for, never serves
 * the request of another one.
 */
export function createAgent(options: AgentOptions = {}): Outgoing {
  const isAllowed = createIsAllowedOrigin(options.allowedOrigins ?? []);
  const checked = createPools(options, createCheckedConnector(options));
  const listed = createPools(options, createListedConnector(options));
  return {
    dispatcherFor: ({ owner, connector, origin }) =>
      (connector !== undefined && isAllowed(connector, origin) ? listed : checked).of(owner),
    prepare: () => void checked.of('service'),
    close: async () => void (await Promise.all([checked.close(), listed.close()])),
    destroy: async () => void (await Promise.all([checked.destroy(), listed.destroy()])),
  };
}
