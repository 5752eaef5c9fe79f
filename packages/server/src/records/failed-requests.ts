import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';
import { ERROR_STATUS, type ErrorCode, type ServiceError } from '../errors.js';
import type { FailedRequest } from '../listener/failed-request.js';
import type { ExecutionRow, FailedRequestRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import { createWriteBehind, type WriteBehindOptions } from './write-behind.js';

export interface FailedRequestsOptions
  extends Pick<WriteBehindOptions<FailedRequestRow>, 'onError' | 'onDropped'> {
  readonly storage: Pick<Storage, 'failedRequests'>;
  /** Returns the cause of an error as JSON, without texts of an upstream; `null` if it has no cause. */
  readonly causeOf: (error: ServiceError) => string | null;
  readonly now: () => number;
}

const MINUTE_MS = 60_000;
/** Maximum number of failed requests with the same caller, operation and error code that are stored per minute. */
export const MAX_PER_KIND = 20;
/** Maximum number of failed requests that are stored per application and minute. */
const MAX_PER_APPLICATION = 300;
// Maximum for requests without an application. It is lower, because anybody can send them.
const MAX_WITHOUT_APPLICATION = 100;
// Maximum number of request ids in memory whose calls have an execution.
const MAX_KNOWN = 20_000;

interface Counted {
  readonly limits: readonly (readonly [key: string, most: number])[];
  /** Key whose first request in a minute is stored in any case. */
  readonly first: string | undefined;
}

/** Counts keys within the current minute. */
function createMinuteCounts() {
  let minute = 0;
  const counts = new Map<string, number>();
  return {
    /** Counts the keys and returns true, unless one of them has reached its limit in this minute. */
    take: (at: number, { limits, first }: Counted): boolean => {
      const current = Math.floor(at / MINUTE_MS);
      if (current !== minute) counts.clear();
      minute = current;
      const isFirst = first !== undefined && !counts.has(first);
      if (!isFirst && limits.some(([key, most]) => (counts.get(key) ?? 0) >= most)) return false;
      if (first !== undefined) counts.set(first, 1);
      for (const [key] of limits) counts.set(key, (counts.get(key) ?? 0) + 1);
      return true;
    },
  };
}

const keyOf = (...parts: readonly string[]): string => JSON.stringify(parts);

const statusOf = (errorCode: string, error?: ServiceError): number =>
  error?.status ?? ERROR_STATUS[errorCode as ErrorCode] ?? 500;

/** Names what a call did: its tool, or the method and path of a proxied request. */
export const operationOf = ({ kind, method, path, toolName }: ExecutionRow): string =>
  toolName ?? (kind === 'tool' ? 'Tool call' : `${method ?? 'Proxy'} ${path ?? 'request'}`);

/**
 * Creates the record of requests that the service answered with an error, so that operators can find the cause by the
 * request id. A call with an execution of its own gets no such record. The number of records per minute is limited.
 */
export function createFailedRequests({ storage, causeOf, now, onError, onDropped }: FailedRequestsOptions) {
  const { insert } = storage.failedRequests;
  const buffer = createWriteBehind<FailedRequestRow>({ insert, onError, onDropped });
  const counts = createMinuteCounts();
  const known = new LRUCache<string, true>(entryLimit(MAX_KNOWN));

  function add(
    row: FailedRequestRow,
    { kind, first }: Pick<Counted, 'first'> & { readonly kind: string },
  ): void {
    const { applicationId, at } = row;
    const most = applicationId === null ? MAX_WITHOUT_APPLICATION : MAX_PER_APPLICATION;
    const limits = [
      [applicationId ?? '', most],
      [kind, MAX_PER_KIND],
    ] as const;
    if (counts.take(at, { limits, first })) buffer.add(row);
  }

  return {
    /** Stores a request that the service answered with an error, unless its call has been stored as an execution. */
    record: ({ objects = [], ...request }: FailedRequest): void => {
      const { requestId, applicationId, actor, operation, errorCode, error } = request;
      if (known.has(requestId)) return;
      const row = {
        requestId,
        applicationId: applicationId || null,
        executionId: null,
        actor,
        operation,
        status: statusOf(errorCode, error),
        errorCode,
        cause: error === undefined ? null : causeOf(error),
        object: objects[0] ?? null,
        otherObject: objects[1] ?? null,
        at: now(),
      };
      // Operations and error codes are a short list, so that a flood of other requests cannot hide the first of each.
      const first = keyOf(applicationId, operation, errorCode);
      add(row, { kind: keyOf(first, actor), first });
    },

    /**
     * Takes a failed call and the id of the execution that stores it. Equal failed calls share one execution. A call
     * that shares the execution of an earlier one gets a record of its request, which refers to that execution.
     */
    noteExecution: (execution: ExecutionRow, storedAs: string): void => {
      const { accountId, applicationId, cause, errorCode, identifier, requestId, startedAt, status } =
        execution;
      known.set(requestId, true);
      if (storedAs === execution.id) return;
      const row = {
        requestId,
        applicationId,
        executionId: storedAs,
        actor: applicationId,
        operation: operationOf(execution),
        status,
        errorCode: errorCode ?? '',
        cause,
        object: accountId,
        otherObject: null,
        at: startedAt,
      };
      const kind = keyOf(applicationId, accountId ?? identifier ?? '', row.errorCode);
      add(row, { kind, first: undefined });
    },
    flush: buffer.flush,
    close: buffer.close,
  };
}

export type FailedRequests = ReturnType<typeof createFailedRequests>;
