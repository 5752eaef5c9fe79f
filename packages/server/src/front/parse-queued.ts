import { setImmediate as nextTurn } from 'node:timers/promises';
import { createKeyedSemaphore } from '../concurrency/semaphore.js';
import { callerDisconnected, ServiceError } from '../errors.js';
import { parseJsonBody } from './parse-json-body.js';

/** Body size in bytes from which parsing takes so long that it delays other callers. */
const LARGE = 64 * 1024;
const WAIT_MS = 10_000;

/** Number of bytes in a large body that count as one additional call in the application's rate limit. */
const BYTES_PER_CALL = 256 * 1024;

/** Counts several calls in the rate limit of an application. */
export type ChargeApplication = (applicationId: string, calls: number) => void;

interface Sender {
  /** Id of the application that sends the body, or the sender's IP address if it is not authenticated. */
  readonly owner: string;
  /** Returns true if the caller has disconnected. */
  readonly isDisconnected: () => boolean;
  /**
   * Counts a large body as several calls in the application's rate limit. Absent if the sender is not an application.
   */
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
 * Parses a JSON request body with `parse`. Large bodies of one sender are parsed one after another, with pauses for
 * other work, and count as several calls in its rate limit. Throws if the caller has disconnected, and whenever `parse`
 * throws.
 */
export async function parseQueued(
  bytes: Buffer,
  { owner, isDisconnected, charge }: Sender,
  parse: (bytes: Buffer) => unknown = parseJsonBody,
): Promise<unknown> {
  if (bytes.length < LARGE) return parse(bytes);
  charge?.(owner, Math.floor(bytes.length / BYTES_PER_CALL));
  const parsed = await lock(owner, async () => {
    await nextTurn();
    if (isDisconnected()) throw callerDisconnected();
    return { value: parse(bytes) };
  });
  if (parsed === undefined) throw tooBusy();
  return parsed.value;
}
