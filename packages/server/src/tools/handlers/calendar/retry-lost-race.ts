import { ServiceError } from '../../../errors.js';

/**
 * Runs `attempt`, which reads and changes a calendar event. Retries once if the write failed with 412, which means that
 * the event changed after it was read.
 */
export async function retryLostRace(attempt: () => Promise<unknown>): Promise<unknown> {
  try {
    return await attempt();
  } catch (error) {
    if (!isLostRace(error)) throw error;
    return attempt();
  }
}

const isLostRace = (error: unknown): boolean =>
  error instanceof ServiceError && error.details?.['status'] === 412;
