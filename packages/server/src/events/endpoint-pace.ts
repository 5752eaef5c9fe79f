import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';

/** Maximum concurrent requests of this process to an endpoint without a recent success. */
const FIRST = 2;
/** Upper limit for the concurrent requests of this process to one endpoint. */
const MAX_AT_ONCE = 64;
/** Maximum concurrent requests of this process to an endpoint that responds slowly. */
const MAX_SLOW_AT_ONCE = 4;
const MAX_ENDPOINTS = 20_000;

interface Pace {
  readonly atOnce: number;
  readonly isSlow: boolean;
}

const UNKNOWN: Pace = { atOnce: FIRST, isSlow: false };

/**
 * Limits the concurrent requests of this process to each endpoint. Each success raises the limit by one, so it doubles
 * within one response time. An endpoint that hangs or fails therefore never gets many requests at once.
 */
export function createEndpointPace() {
  const paces = new LRUCache<string, Pace>(entryLimit(MAX_ENDPOINTS));
  const of = (id: string): Pace => paces.get(id) ?? UNKNOWN;

  return {
    /** Returns the maximum concurrent requests of this process to the endpoint. */
    mostAtOnce: (id: string): number => {
      const { atOnce, isSlow } = of(id);
      return isSlow ? MAX_SLOW_AT_ONCE : atOnce;
    },
    isSlow: (id: string): boolean => of(id).isSlow,
    /**
     * Call it when a request to the endpoint takes long. The endpoint counts as slow until a request ends in less time.
     */
    slowDown: (id: string): void => void paces.set(id, { ...UNKNOWN, isSlow: true }),
    /** Call it when a request to the endpoint has succeeded quickly. It raises the limit of concurrent requests. */
    speedUp: (id: string): void =>
      void paces.set(id, { atOnce: Math.min(MAX_AT_ONCE, of(id).atOnce + 1), isSlow: false }),
    /** Call it when a request to the endpoint has failed quickly. It resets the limit of concurrent requests. */
    restart: (id: string): void => void paces.set(id, UNKNOWN),
  };
}
