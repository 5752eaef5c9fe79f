import type { Clock } from '../../clock.js';
import { userRateLimitExceeded } from './api-error.js';

/** Quota units of one person with one application, over a sliding minute. */
export interface Quota {
  spend(who: string, units: number, perMinute: number | null): void;
  reset(): void;
}

const MINUTE = 60_000;

export function createQuota(clock: Clock): Quota {
  const spent = new Map<string, { at: number; units: number }[]>();
  return {
    spend(who, units, perMinute) {
      if (perMinute === null) return;
      const now = clock.now();
      const recent = (spent.get(who) ?? []).filter(({ at }) => now - at < MINUTE);
      const used = recent.reduce((sum, entry) => sum + entry.units, 0);
      spent.set(who, recent);
      if (used + units > perMinute) throw userRateLimitExceeded();
      recent.push({ at: now, units });
    },
    reset: () => spent.clear(),
  };
}
