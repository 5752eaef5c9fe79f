import { setImmediate as nextTurn } from 'node:timers/promises';
import { createKeyedSemaphore } from '../concurrency/semaphore.js';
import { callerDisconnected, ServiceError } from '../errors.js';
import { parseJsonBody } from './parse-json-body.js';

/** Body size in bytes from which parsing is slow enough to delay other callers. */
const LARGE = 64 * 1024;
const WAIT_MS = 10_000;

interface Sender {
  /** Id of the application that sends the body. Its IP address if it is not authenticated. */
  readonly owner: string;
  /** Returns whether the caller has disconnected. */
  readonly isDisconnected: () => boolean;
}

const tooBusy = () =>
  new ServiceError('unavailable', 'Other large bodies of this application are being read. Retry in 1 s.', {
    retryAfter: 1,
  });

const lock = createKeyedSemaphore({ permits: 1, waitMs: WAIT_MS });

/**
 * Parses a JSON body. Large bodies of one sender are parsed one after another, with pauses for other work. A body whose
 * caller has disconnected is not parsed. Throws like `parseJsonBody`.
 */
export async function parseQueued(bytes: Buffer, { owner, isDisconnected }: Sender): Promise<unknown> {
  if (bytes.length < LARGE) return parseJsonBody(bytes);
  const parsed = await lock(owner, async () => {
    await nextTurn();
    if (isDisconnected()) throw callerDisconnected();
    return { value: parseJsonBody(bytes) };
  });
  if (parsed === undefined) throw tooBusy();
  return parsed.value;
}
