import type { Clock } from '../../clock.js';
import { type CommentRecord, type PostRecord, type ReactionRecord, seededActivity } from './seed-activity.js';
import { type CompanyRecord, seededCompanies } from './seed-companies.js';
import { type PersonRecord, seededPeople } from './seed-people.js';

/** What the network knows. Nothing of it can be changed through the service. */
export interface World {
  readonly people: readonly PersonRecord[];
  readonly companies: readonly CompanyRecord[];
  readonly posts: readonly PostRecord[];
  /** The newest first. */
  readonly comments: readonly CommentRecord[];
  readonly reactions: readonly ReactionRecord[];
  /** Milliseconds since 1970 when the world was made. */
  readonly madeAt: number;
  now(): number;
}

export function createWorld(clock: Clock): World {
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
