import type { Clock } from '../clock.js';
import type { ApiError } from './api-error.js';

interface Budget {
  /** Quota units per window. Null applies no limit. */
  readonly limit: number | null;
  readonly since: number;
  refuse(): ApiError;
}

export type Quota = ReturnType<typeof createQuota>;

export function createQuota(clock: Clock) {
  const spent = new Map<string, { at: number; units: number }[]>();
  return {
    spend(who: string, units: number, { limit, since, refuse }: Budget): void {
      if (limit === null) return;
      const recent = (spent.get(who) ?? []).filter(({ at }) => at >= since);
      const used = recent.reduce((sum, entry) => sum + entry.units, 0);
      spent.set(who, recent);
      if (used + units > limit) throw refuse();
      recent.push({ at: clock.now(), units });
    },
    reset: () => spent.clear(),
  };
}
