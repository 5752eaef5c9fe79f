import type { Clock } from '../../clock.js';
import { tooManyRequests } from './api-error.js';

/** Requests of one key to one endpoint, minute by minute. */
export interface RateLimiter {
  count(key: string, endpoint: string, perMinute: number): void;
  reset(): void;
}

const MINUTE = 60_000;

export function createRateLimiter(clock: Clock): RateLimiter {
  const windows = new Map<string, { startedAt: number; requests: number }>();
  return {
    count(key, endpoint, perMinute) {
      const now = clock.now();
      const name = `${endpoint} ${key}`;
      const known = windows.get(name);
      const isCurrent = known !== undefined && now - known.startedAt < MINUTE;
      const window = isCurrent ? known : { startedAt: now, requests: 0 };
      window.requests += 1;
      windows.set(name, window);
      if (window.requests > perMinute) throw tooManyRequests();
    },
    reset: () => windows.clear(),
  };
}
