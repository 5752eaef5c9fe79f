import { setImmediate as nextTurn } from 'node:timers/promises';
import { createKeyedSemaphore } from '../concurrency/semaphore.js';
import { callerDisconnected, ServiceError } from '../errors.js';
import { parseJsonBody } from './parse-json-body.js';

/** Body size in bytes from which parsing is slow enough to delay other callers. */
const LARGE = 64 * 1024;
const WAIT_MS = 10_000;

/** Number of bytes of a large body that count as one more call in the rate limit of its application. */
const BYTES_PER_CALL = 256 * 1024;

/** Counts a number of calls in the rate limit of an application. */
export type ChargeApplication = (applicationId: string, calls: number) => void;

interface Sender {
  /** Id of the application that sends the body. Its IP address if it is not authenticated. */
  readonly owner: string;
  /** Returns whether the caller has disconnected. */
  readonly isDisconnected: () => boolean;
  /** Counts a large body in the rate limit of its application. Absent if the sender is not an application. */
  readonly charge?: ChargeApplication | undefined;
}

const tooBusy = () =>
  new ServiceError(
    'unavailable',
    'The service is reading other large bodies of this sender. Nothing ran. Retry in 1 s.',
    {
      retryAfter: 1,
      reason: 'queue',
    },
  );

const lock = createKeyedSemaphore({ permits: 1, waitMs: WAIT_MS });

/**
 * Parses a JSON request body. Large bodies of one sender are parsed one after another, with pauses for other work, and
 * count as several calls in its rate limit. Throws if the caller has disconnected, and like `parseJsonBody`.
 */
export async function parseQueued(
  bytes: Buffer,
  { owner, isDisconnected, charge }: Sender,
): Promise<unknown> {
  if (bytes.length < LARGE) return parseJsonBody(bytes);
  charge?.(owner, Math.floor(bytes.length / BYTES_PER_CALL));
  const parsed = await lock(owner, async () => {
    await nextTurn();
    if (isDisconnected()) throw callerDisconnected();
    return { value: parseJsonBody(bytes) };
  });
  if (parsed === undefined) throw tooBusy();
  return parsed.value;
}
