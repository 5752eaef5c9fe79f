import type { ServerResponse } from 'node:http';
import type { Received, Receiver } from './start-receiver.js';

/** Requests that a path of the receiver has got. */
export interface Log {
  /** Bodies of the events that the receiver has accepted, by their ids. */
  readonly accepted: Map<string, string>;
  /** Number of requests, including repeated ones and those that the receiver did not accept. */
  requests: number;
  /** Ids of events that came with different bodies. */
  readonly changed: Set<string>;
}

const LATE_MS = 700;

/** Number from 0 to 199 that belongs to the id of an event. */
const numberOf = (id: string): number => Number.parseInt(id.slice(-4), 16) % 200;

/** Fails in some way. Returns `false` if the receiver should accept the event now. */
function fail(response: ServerResponse, kind: number): boolean {
  if (kind === 1) return true;
  if (kind % 10 === 2) response.writeHead(500).end();
  else if (kind % 10 === 3) response.socket?.destroy();
  else return false;
  return true;
}

function createLog(): Log {
  return { accepted: new Map(), requests: 0, changed: new Set() };
}

function accept({ accepted, changed }: Log, response: ServerResponse, { id, body }: Received): void {
  if ((accepted.get(id) ?? body) !== body) changed.add(id);
  accepted.set(id, body);
  response.writeHead(204).end();
}

/** Accepts every event at once. */
export function acceptAll(receiver: Receiver, path: string): Log {
  const log = createLog();
  receiver.answer(path, (response, request) => {
    log.requests += 1;
    accept(log, response, request);
  });
  return log;
}

/**
 * Fails the first request of a fifth of the events: with status 500, a reset connection, or no response at all. Answers
 * a tenth of the others late.
 */
export function acceptUnreliably(receiver: Receiver, path: string): Log {
  const log = createLog();
  const seen = new Set<string>();
  receiver.answer(path, (response, request) => {
    const kind = numberOf(request.id);
    const isFirst = !seen.has(request.id);
    log.requests += 1;
    seen.add(request.id);
    if (isFirst && fail(response, kind)) return;
    if (kind % 10 === 4) setTimeout(() => accept(log, response, request), LATE_MS);
    else accept(log, response, request);
  });
  return log;
}

/** Never answers. */
export function acceptNothing(receiver: Receiver, path: string): Log {
  const log = createLog();
  receiver.answer(path, () => {
    log.requests += 1;
  });
  return log;
}
