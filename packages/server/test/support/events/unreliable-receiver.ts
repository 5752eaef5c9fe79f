import type { ServerResponse } from 'node:http';
import type { Received, Receiver } from './start-receiver.js';

/** Record of the webhook requests that one path of the receiver has got. */
export interface Log {
  /** Bodies of the events that the receiver has accepted, by event id. */
  readonly accepted: Map<string, string>;
  /** Number of requests, including repeated ones and those that the receiver did not accept. */
  requests: number;
  /** Number of requests that the receiver did not accept. */
  failures: number;
  /** Ids of events whose body differed between two requests. */
  readonly changed: Set<string>;
}

const LATE_MS = 700;

/** Returns a number from 0 to 199 that is derived from the event id. It decides how the receiver treats the event. */
const numberOf = (id: string): number => Number.parseInt(id.slice(-4), 16) % 200;

/**
 * Fails the request in the way that `kind` selects, such as with status 500. Returns `false` for kinds that do not
 * fail.
 */
function fail(response: ServerResponse, kind: number): boolean {
  if (kind === 1) return true;
  if (kind % 10 === 2) response.writeHead(500).end();
  else if (kind % 10 === 3) response.socket?.destroy();
  else return false;
  return true;
}

function createLog(): Log {
  return { accepted: new Map(), requests: 0, failures: 0, changed: new Set() };
}

function accept({ accepted, changed }: Log, response: ServerResponse, { id, body }: Received): void {
  if ((accepted.get(id) ?? body) !== body) changed.add(id);
  accepted.set(id, body);
  response.writeHead(204).end();
}

/** Makes the receiver accept every webhook request to the path immediately. Returns the record of the requests. */
export function acceptAll(receiver: Receiver, path: string): Log {
  const log = createLog();
  receiver.answer(path, (response, request) => {
    log.requests += 1;
    accept(log, response, request);
  });
  return log;
}

/**
 * Makes the receiver fail the first request of a fifth of the events: with status 500, a reset connection, or no
 * response. Responds late to a tenth of the events.
 */
export function acceptUnreliably(receiver: Receiver, path: string): Log {
  const log = createLog();
  const seen = new Set<string>();
  receiver.answer(path, (response, request) => {
    const kind = numberOf(request.id);
    const isFirst = !seen.has(request.id);
    log.requests += 1;
    seen.add(request.id);
    if (isFirst && fail(response, kind)) {
      log.failures += 1;
      return;
    }
    if (kind % 10 === 4) setTimeout(() => accept(log, response, request), LATE_MS);
    else accept(log, response, request);
  });
  return log;
}

/** Makes the receiver leave all webhook requests to the path without a response. Returns the record of the requests. */
export function acceptNothing(receiver: Receiver, path: string): Log {
  const log = createLog();
  receiver.answer(path, () => {
    log.requests += 1;
    log.failures += 1;
  });
  return log;
}
