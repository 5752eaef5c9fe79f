import type { RequestListener } from 'node:http';
import { createNodeServer } from './node-server.js';
import type { ListenAddress } from './probe-address.js';

const TIMEOUT_MS = 10_000;
// Time in milliseconds after which an idle connection is closed. It is longer than the usual scrape interval of 60 s,
// so that a scraper can keep its connection.
const IDLE_MS = 72_000;
const MAX_CONNECTIONS = 100;
const BOUNDS = {
  headersTimeout: TIMEOUT_MS,
  requestTimeout: TIMEOUT_MS,
  connectionsCheckingInterval: TIMEOUT_MS / 2,
  keepAliveTimeout: IDLE_MS,
  maxHeaderSize: 8192,
  insecureHTTPParser: false,
};

export interface MetricsServer {
  readonly listen: (address: ListenAddress) => Promise<void>;
  /** Stops listening, and closes all connections. */
  readonly close: () => Promise<void>;
}

/** Creates the HTTP server of the metrics port. It allows few connections and has short timeouts. */
export function createMetricsServer(handle: RequestListener): MetricsServer {
  const server = createNodeServer(BOUNDS, handle);
  server.maxConnections = MAX_CONNECTIONS;
  // Closes the connection of a client that does not read its response.
  server.setTimeout(IDLE_MS);
  return {
    listen: ({ host, port }) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen({ host, port, exclusive: true }, () => {
          server.off('error', reject);
          resolve();
        });
      }),
    close: async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      server.closeAllConnections();
      await promise;
    },
  };
}
