import { ServiceError } from '../errors.js';
import { type AnswerMemory, type MemoryShare, NO_MEMORY } from '../listener/answer-memory.js';

interface Reservation {
  readonly applicationId: string;
  readonly isReadOnly: boolean;
  /** Resolves when the result was sent. Absent: the memory is released when the work ends. */
  readonly whenSent?: Promise<unknown> | undefined;
}

// Reserved before anything is sent, so that a call without memory has changed nothing.
const LEAST_BYTES = 64 * 1024;

/** Turns unavailable into upstream_failed, because a write that may have happened must not look repeatable. */
function toFailedWrite(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.details?.['reason'] !== NO_MEMORY) return error;
  const { progress } = error.details;
  const noRoom = 'The upstream has answered, and the service had no room for its answer';
  const message = progress === undefined ? `${noRoom}.` : `${noRoom}. ${error.message}`;
  const details = { repeatable: false, ...(progress !== undefined && { progress }) };
  return new ServiceError('upstream_failed', message, details, { cause: error });
}

/** Does work whose responses take memory until their result was sent. Throws unavailable when none is left. */
export async function reserveAnswerMemory<Result>(
  memory: AnswerMemory,
  { applicationId, isReadOnly, whenSent }: Reservation,
  work: (holding: MemoryShare) => Promise<Result>,
): Promise<Result> {
  const holding = memory.open(applicationId);
  holding.take(LEAST_BYTES);
  const running = work(holding);
  const release = () => (whenSent ? whenSent.then(holding.release) : holding.release());
  void running.then(release, release);
  try {
    return await running;
  } catch (error) {
    throw isReadOnly ? error : toFailedWrite(error);
  }
}
