import { isoTime } from '../text/iso-time.js';

/** Attempt to send a delivery, as it is stored. */
export interface StoredAttempt {
  /** Start of the attempt in milliseconds since 1970. */
  readonly at: number;
  readonly durationMs: number;
  /** HTTP status of the response. Absent without a response. */
  readonly status?: number;
  /** Reason why there was no response, such as `blocked_address`. */
  readonly failure?: string;
  /** Beginning of the response body. */
  readonly response?: string;
}

/** Attempt in the form of the API. */
export interface Attempt extends Omit<StoredAttempt, 'at'> {
  readonly at: string;
}

/** Number of stored attempts of a delivery: two complete schedules. */
const MOST_ATTEMPTS = 20;

const read = (log: string): readonly StoredAttempt[] => JSON.parse(log);

export const addAttempt = (log: string, attempt: StoredAttempt): string =>
  JSON.stringify([...read(log), attempt].slice(-MOST_ATTEMPTS));

export const readAttempts = (log: string): readonly Attempt[] =>
  read(log).map((attempt) => ({ ...attempt, at: isoTime(attempt.at) }));
