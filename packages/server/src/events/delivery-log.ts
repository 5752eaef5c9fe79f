import { isoTime } from '../text/iso-time.js';

/** Attempt to send a webhook delivery, as the database stores it in the delivery's log. */
export interface StoredAttempt {
  /** Start of the attempt in milliseconds since 1970. */
  readonly at: number;
  readonly durationMs: number;
  /** HTTP status of the endpoint's response. Absent if there was no response. */
  readonly status?: number;
  /** Reason why no response of the endpoint arrived, such as `blocked_address`. */
  readonly failure?: string;
  /** Beginning of the endpoint's response body. */
  readonly response?: string;
}

/** Attempt to send a webhook delivery, as the API returns it. */
export interface Attempt extends Omit<StoredAttempt, 'at'> {
  readonly at: string;
}

/**
 * Maximum number of attempts in a delivery's log, which suffices for two complete retry schedules. Older attempts are
 * dropped.
 */
const MAX_ATTEMPTS = 20;

const read = (log: string): readonly StoredAttempt[] => JSON.parse(log);

export const addAttempt = (log: string, attempt: StoredAttempt): string =>
  JSON.stringify([...read(log), attempt].slice(-MAX_ATTEMPTS));

export const readAttempts = (log: string): readonly Attempt[] =>
  read(log).map((attempt) => ({ ...attempt, at: isoTime(attempt.at) }));
