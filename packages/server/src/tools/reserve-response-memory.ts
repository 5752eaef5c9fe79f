import { type BodyMemory, type MemoryShare, NO_MEMORY } from '../concurrency/body-memory.js';
import { ServiceError } from '../errors.js';

interface Reservation {
  readonly applicationId: string;
  readonly isReadOnly: boolean;
  /**
   * Resolves when the client has received the response to the tool call, which releases its memory. If absent, the
   * memory is released when `work` ends.
   */
  readonly whenSent?: Promise<unknown> | undefined;
}

// Bytes of memory that are reserved before the first upstream request, so that a tool call that gets no memory has no
// effect upstream.
const MIN_BYTES = 64 * 1024;

/**
 * Converts the error “no memory for the response” to upstream_failed. Called for writing tools only,
 * because a client could otherwise retry a write that already happened.
 */
function toFailedWrite(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.reason !== NO_MEMORY) return error;
  const progress = error.details?.['progress'];
  const noRoom =
    'The upstream responded, but the service had too little free memory to read the response. Check at the upstream whether the call took effect before you repeat the call.';
  const message = progress === undefined ? noRoom : `${noRoom} ${error.message}`;
  const details = { repeatable: false, ...(progress !== undefined && { progress }) };
  return new ServiceError('upstream_failed', message, details, { cause: error });
}

/**
 * Runs `work` of a tool call with reserved memory for its upstream responses. The memory is released after `whenSent`.
 * Throws unavailable if no memory is free.
 */
export async function reserveResponseMemory<Result>(
  memory: BodyMemory,
  { applicationId, isReadOnly, whenSent }: Reservation,
  work: (holding: MemoryShare) => Promise<Result>,
): Promise<Result> {
  const holding = memory.open(applicationId);
  holding.take(MIN_BYTES);
  const running = work(holding);
  const release = () => (whenSent ? whenSent.then(holding.release) : holding.release());
  void running.then(release, release);
  try {
    return await running;
  } catch (error) {
    throw isReadOnly ? error : toFailedWrite(error);
  }
}
