import { setImmediate as nextTick } from 'node:timers/promises';
import fc from 'fast-check';
import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import { createLoopWatch } from '../processes/loop-watch.js';
import { isFull } from '../runner/rounds.js';
import type { Known } from './near-valid.js';
import { type NearValidRequest, nearValidRequest } from './near-valid-request.js';
import type { Operation } from './operations.js';

// Matches internal details that no error response may contain: stack traces, SQL, paths of files.
const INSIDE =
  /\n\s+at |node:internal|node_modules|\.[jt]s:\d+|\bsqlite|postgres|\bselect .* from\b|insert into|\/tmp\/|\/home\/|\/root\//i;

export interface GeneratedOptions {
  /** Valid values by property name, so that requests pass the first checks. */
  readonly known: Known;
  readonly send: (request: NearValidRequest) => Promise<LightMyRequestResponse>;
  /** Called with each reply. It inspects the reply, and may restore objects that the request deleted. */
  readonly onReply?: (reply: LightMyRequestResponse, request: NearValidRequest) => void | Promise<void>;
  /** Number of generated requests for an operation. Default: `defaultRuns`. */
  readonly runs?: (operation: Operation) => number;
}

/** Returns `full` in full runs. Quick runs take a thousandth, because each commit generates other requests. */
export const part = (full: number, least = 120): number =>
  isFull ? full : Math.max(least, Math.ceil(full / 1000));

/**
 * Returns the number of generated requests for an operation: in full runs 100,000 with a request body, and 10,000
 * without one.
 */
export const defaultRuns = ({ requestBody }: Operation): number => part(requestBody ? 100_000 : 10_000);

/**
 * Sends generated requests to all these operations concurrently, and expects no status of 500 or above. Returns the
 * statuses by operation.
 */
export async function sendGenerated(
  operations: readonly Operation[],
  { known, send, onReply, runs = defaultRuns }: GeneratedOptions,
): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  const statuses = new Map<string, Set<number>>();
  // Calls `onReply` also after requests that the watch repeats, because a repeated request may delete an object again.
  const watch = createLoopWatch(async (request: NearValidRequest) => onReply?.(await send(request), request));
  async function check(request: NearValidRequest): Promise<void> {
    const { operation } = request;
    // Yields to the event loop as a network would, because requests without I/O would otherwise block all others.
    await nextTick();
    watch.started(request);
    const reply = await send(request).finally(() => watch.ended(request));
    const { statusCode, payload, headers } = reply;
    statuses.set(operation, (statuses.get(operation) ?? new Set()).add(statusCode));
    if (statusCode >= 500) expect({ operation, statusCode }).toEqual({ operation, statusCode: 'below 500' });
    if (statusCode >= 400) expect(payload.replaceAll(request.url, '')).not.toMatch(INSIDE);
    expect(headers['svc-request-id']).toMatch(/^req_/);
    await onReply?.(reply, request);
  }
  // Gives each operation a seed of its own. With equal seeds, all operations would name the same object at the same
  // time.
  const { seed = 0 } = fc.readConfigureGlobal();
  const checks = operations.map((operation, index) => {
    const property = fc.asyncProperty(nearValidRequest(operation, known), check);
    return fc.assert(property, { numRuns: runs(operation), seed: seed + index });
  });
  await Promise.all(checks);
  // No request may block the event loop, because that delays all other requests (rule F9 in security-rules.md).
  expect(await watch.holding()).toEqual([]);
  return statuses;
}

/** Returns the operations for which no response had a status that matches `isSuch`. */
export const without = (
  statuses: ReadonlyMap<string, ReadonlySet<number>>,
  isSuch: (status: number) => boolean,
): readonly string[] =>
  [...statuses]
    .filter(([, seen]) => ![...seen].some(isSuch))
    .map(([operation]) => operation)
    .sort();
