import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';

/** Maximum number of concurrent requests of this process to an endpoint without a recent success. */
const FIRST = 2;
/** Number up to which successes raise the limit of this process's concurrent requests to one endpoint. */
const MAX_AT_ONCE = 64;
/** Maximum number of concurrent requests of this process to an endpoint that responds slowly. */
const MAX_SLOW_AT_ONCE = 4;
const MAX_ENDPOINTS = 20_000;

interface Pace {
  readonly atOnce: number;
  readonly isSlow: boolean;
}

const UNKNOWN: Pace = { atOnce: FIRST, isSlow: false };

/**
 * Limits the concurrent requests of this process to each endpoint. Each success raises an endpoint's limit by one, so
 * the limit can double within one response time. An endpoint that hangs or fails therefore never gets many requests at
 * the same time.
 */
export function createEndpointPace() {
  const paces = new LRUCache<string, Pace>(entryLimit(MAX_ENDPOINTS));
  const of = (id: string): Pace => paces.get(id) ?? UNKNOWN;

  return {
    /** Returns the maximum number of concurrent requests of this process to the endpoint. */
    mostAtOnce: (id: string): number => {
      const { atOnce, isSlow } = of(id);
      return isSlow ? MAX_SLOW_AT_ONCE : atOnce;
    },
    isSlow: (id: string): boolean => of(id).isSlow,
    /**
     * Marks the endpoint as slow, because a request to it took `SLOW_MS` (in deliver-due.ts) or longer. The endpoint
     * stays slow until a request ends sooner.
     */
    slowDown: (id: string): void => void paces.set(id, { ...UNKNOWN, isSlow: true }),
    /** Raises the endpoint's limit of concurrent requests, after a request has succeeded quickly. */
    speedUp: (id: string): void =>
      void paces.set(id, { atOnce: Math.min(MAX_AT_ONCE, of(id).atOnce + 1), isSlow: false }),
    /** Resets the endpoint's limit of concurrent requests, after a request has failed quickly. */
    restart: (id: string): void => void paces.set(id, UNKNOWN),
  };
}
