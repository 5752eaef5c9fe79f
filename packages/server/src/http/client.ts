import { Client } from 'undici';
import type { Connector } from './connector.js';
import { guardFraming } from './framing.js';
import { readLast } from './read-last.js';
import { type Wire, watchWire } from './wire.js';

export interface ClientOptions extends Omit<Client.Options, 'connect'> {
  readonly connect: Connector;
}

/** A client of at most one connection at a time, with a watch on it. */
export function createClient(origin: URL, { connect, ...options }: ClientOptions): Client {
  let wire: Wire | undefined;
  const client = new Client(origin, {
    ...options,
    connect: (target, callback) =>
      connect(target, (...outcome) => {
        if (outcome[1]) {
          readLast(outcome[1]);
          wire = watchWire(outcome[1]);
        }
        callback(...outcome);
      }),
  });
  const dispatch = client.dispatch.bind(client);
  // Not `compose`: it gives a stand-in, which a pool does not know again when its connection fails.
  client.dispatch = (request, handler) =>
    dispatch(
      request,
      guardFraming(handler, () => wire),
    );
  return client;
}
