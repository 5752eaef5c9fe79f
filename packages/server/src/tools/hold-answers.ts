import { ServiceError } from '../errors.js';
import { type AnswerMemory, type MemoryShare, NO_MEMORY } from '../listener/answer-memory.js';

export interface HoldContext {
  readonly applicationId: string;
  readonly isReadOnly: boolean;
  /** When nothing of the result is needed any more; absent: when the work is done. */
  readonly whenSent?: Promise<unknown> | undefined;
}

// Taken before anything is sent, so that a call that finds no room has done nothing.
const LEAST_HELD = 64 * 1024;

// What may have changed something upstream must not look like a call that may be repeated.
function toDone(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.details?.['reason'] !== NO_MEMORY) return error;
  const { progress } = error.details;
  const noRoom = 'The upstream has answered, and the service had no room for its answer';
  const message = progress === undefined ? `${noRoom}.` : `${noRoom}. ${error.message}`;
  const details = { repeatable: false, ...(progress !== undefined && { progress }) };
  return new ServiceError('upstream_failed', message, details, { cause: error });
}

/** Does work whose answers count as held until it is done and its result was sent. Throws unavailable where there is no room. */
export async function holdAnswers<Result>(
  memory: AnswerMemory,
  { applicationId, isReadOnly, whenSent }: HoldContext,
  work: (holding: MemoryShare) => Promise<Result>,
): Promise<Result> {
  const holding = memory.open(applicationId);
  holding.take(LEAST_HELD);
  const running = work(holding);
  const letGo = () => (whenSent ? whenSent.then(holding.release) : holding.release());
  void running.then(letGo, letGo);
  try {
    return await running;
  } catch (error) {
    throw isReadOnly ? error : toDone(error);
  }
}
