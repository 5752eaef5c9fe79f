import { ServiceError } from '../../../errors.js';

/** Runs a read and a write that depends on it once more after a concurrent change. */
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
