import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';

/** Requests at once to an endpoint about which this process knows nothing. */
const FIRST = 2;
/** Maximum number of requests of this process to an endpoint at once. */
const MOST = 64;
/** Maximum number of requests at once to an endpoint whose responses take long. */
const MOST_SLOW = 4;
const MOST_ENDPOINTS = 20_000;

interface Pace {
  readonly atOnce: number;
  readonly isSlow: boolean;
}

const UNKNOWN: Pace = { atOnce: FIRST, isSlow: false };

/**
 * Bounds the requests of this process to each endpoint. Every success allows one more request, so the number doubles in
 * the time of a response. An endpoint that hangs or fails therefore never gets many requests at once.
 */
export function createEndpointPace() {
  const paces = new LRUCache<string, Pace>(entryLimit(MOST_ENDPOINTS));
  const of = (id: string): Pace => paces.get(id) ?? UNKNOWN;

  return {
    /** Returns the maximum number of requests to the endpoint at once. */
    mostAtOnce: (id: string): number => {
      const { atOnce, isSlow } = of(id);
      return isSlow ? MOST_SLOW : atOnce;
    },
    isSlow: (id: string): boolean => of(id).isSlow,
    /** Call it when a request takes long. The endpoint stays slow until a request succeeds in less time. */
    slowDown: (id: string): void => void paces.set(id, { ...UNKNOWN, isSlow: true }),
    /** Call it when a request has succeeded in time. */
    speedUp: (id: string): void =>
      void paces.set(id, { atOnce: Math.min(MOST, of(id).atOnce + 1), isSlow: false }),
    /** Call it when a request has failed in time. */
    restart: (id: string): void => void paces.set(id, UNKNOWN),
  };
}
