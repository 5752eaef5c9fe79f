import type { Clock } from '../../clock.js';
import { tooManyRequests } from './api-error.js';

export type RateLimiter = ReturnType<typeof createRateLimiter>;

const MINUTE = 60_000;

export function createRateLimiter(clock: Clock) {
  const windows = new Map<string, { startedAt: number; requests: number }>();
  return {
    count(key: string, endpoint: string, perMinute: number): void {
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
