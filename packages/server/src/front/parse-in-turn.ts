import { setImmediate as nextTurn } from 'node:timers/promises';
import { createKeyedSemaphore } from '../concurrency/semaphore.js';
import { callerGone, ServiceError } from '../errors.js';
import { parseJsonBody } from './parse-json-body.js';

/** Bytes from which parsing takes long enough to keep other callers waiting. */
const LARGE = 64 * 1024;
const WAIT_MS = 10_000;

interface Sender {
  /** Application that sends the body, or its address when nobody has signed in. */
  readonly owner: string;
  /** True when the caller has disconnected. */
  readonly isGone: () => boolean;
}

const tooBusy = () =>
  new ServiceError('unavailable', 'Other large bodies of this application are being read. Retry in 1 s.', {
    retryAfter: 1,
  });

const lock = createKeyedSemaphore({ permits: 1, waitMs: WAIT_MS });

/**
 * Parses a body. Large ones of one sender are parsed one by one, with other work of the process between them, and not at all when the caller
 * has disconnected. Throws as `parseJsonBody` does.
 */
export async function parseInTurn(bytes: Buffer, { owner, isGone }: Sender): Promise<unknown> {
  if (bytes.length < LARGE) return parseJsonBody(bytes);
  const parsed = await lock(owner, async () => {
    await nextTurn();
    if (isGone()) throw callerGone();
    return { value: parseJsonBody(bytes) };
  });
  if (parsed === undefined) throw tooBusy();
  return parsed.value;
}
