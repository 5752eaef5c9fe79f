import type { Clock } from '../../clock.js';
import { seededActivity, seededCompanies, seededPeople } from './seed.js';

/** What the network knows. Nothing of it can be changed through the service. */
export type World = ReturnType<typeof createWorld>;

export function createWorld(clock: Clock) {
  /** Milliseconds since 1970 when the world was made. */
  const madeAt = clock.now();
  const companies = seededCompanies();
  const people = seededPeople(companies);
  return { people, companies, ...seededActivity(people, companies, madeAt), madeAt, now: () => clock.now() };
}

const HOUR_MS = 3_600_000;
const PERIODS = { '24h': 24, week: 7 * 24, month: 30 * 24 } as const;

/** The periods that lists of what was posted can be limited to. */
export const POSTED_LIMITS = ['24h', 'week', 'month'] as const;

/** Whether a moment lies in the period; without one it does. */
export const isWithin = (
  at: number,
  period: (typeof POSTED_LIMITS)[number] | undefined,
  now: number,
): boolean => period === undefined || at >= now - PERIODS[period] * HOUR_MS;
