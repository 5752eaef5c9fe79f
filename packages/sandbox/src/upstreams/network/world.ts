import type { Clock } from '../../clock.js';
import { seededActivity, seededCompanies, seededPeople } from './seed.js';

/** Seeded data of the network. The data is read-only, because the API has no write methods. */
export type World = ReturnType<typeof createWorld>;

export function createWorld(clock: Clock) {
  const madeAt = clock.now();
  const companies = seededCompanies();
  const people = seededPeople(companies);
  return { people, companies, ...seededActivity(people, companies, madeAt), madeAt, now: () => clock.now() };
}

const HOUR_MS = 3_600_000;
const PERIODS = { '24h': 24, week: 7 * 24, month: 30 * 24 } as const;

export const POSTED_LIMITS = ['24h', 'week', 'month'] as const;

export const isWithin = (
  at: number,
  period: (typeof POSTED_LIMITS)[number] | undefined,
  now: number,
): boolean => period === undefined || at >= now - PERIODS[period] * HOUR_MS;
