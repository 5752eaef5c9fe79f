import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import type { Operation } from '../operations.js';
import { createLoopWatch } from './loop-watch.js';
import type { Known } from './near-valid.js';
import { type NearValidRequest, nearValidRequest } from './near-valid-request.js';
import { isFull } from './rounds.js';

// Internal details that no error may contain: stack traces, SQL, paths of files.
const INSIDE =
  /\n\s+at |node:internal|node_modules|\.[jt]s:\d+|\bsqlite|postgres|\bselect .* from\b|insert into|\/tmp\/|\/home\/|\/root\//i;

export interface GeneratedOptions {
  /** Values that come far. */
  readonly known: Known;
  readonly send: (request: NearValidRequest) => Promise<LightMyRequestResponse>;
  /** Looks at an answer, and makes again what the request has ended. */
  readonly onReply?: (reply: LightMyRequestResponse, request: NearValidRequest) => void | Promise<void>;
  /** Number of requests to one operation. */
  readonly runs?: (operation: Operation) => number;
}

/** A thousandth in quick runs, because there are many operations and each commit generates other requests. */
export const part = (full: number, least = 120): number =>
  isFull ? full : Math.max(least, Math.ceil(full / 1000));

/** 100,000 bodies; a tenth as many requests where none is taken. */
export const defaultRuns = ({ requestBody }: Operation): number => part(requestBody ? 100_000 : 10_000);

/** Sends generated requests to all of these operations at once. None may be a fault; gives the statuses of each operation. */
export async function sendGenerated(
  operations: readonly Operation[],
  { known, send, onReply, runs = defaultRuns }: GeneratedOptions,
): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  const statuses = new Map<string, Set<number>>();
  // Requests that are repeated for the measurement may delete something again.
  const watch = createLoopWatch(async (request: NearValidRequest) => onReply?.(await send(request), request));
  async function check(request: NearValidRequest): Promise<void> {
    const { operation } = request;
    // Yields like the network does. Requests that need neither disk nor database would block everything else.
    await nextTurn();
    watch.started(request);
    const reply = await send(request).finally(() => watch.ended(request));
    const { statusCode, payload, headers } = reply;
    statuses.set(operation, (statuses.get(operation) ?? new Set()).add(statusCode));
    if (statusCode >= 500) expect({ operation, statusCode }).toEqual({ operation, statusCode: 'below 500' });
    if (statusCode >= 400) expect(payload.replaceAll(request.url, '')).not.toMatch(INSIDE);
    expect(headers['svc-request-id']).toMatch(/^req_/);
    await onReply?.(reply, request);
  }
  // A separate seed for each operation, so that they do not all name the same object at the same time.
  const { seed = 0 } = fc.readConfigureGlobal();
  const checks = operations.map((operation, index) => {
    const property = fc.asyncProperty(nearValidRequest(operation, known), check);
    return fc.assert(property, { numRuns: runs(operation), seed: seed + index });
  });
  await Promise.all(checks);
  // Rule F9: nothing that can be sent holds up what others have sent.
  expect(await watch.holding()).toEqual([]);
  return statuses;
}

/** The operations none of whose statuses is such. */
export const without = (
  statuses: ReadonlyMap<string, ReadonlySet<number>>,
  isSuch: (status: number) => boolean,
): readonly string[] =>
  [...statuses]
    .filter(([, seen]) => ![...seen].some(isSuch))
    .map(([operation]) => operation)
    .sort();
