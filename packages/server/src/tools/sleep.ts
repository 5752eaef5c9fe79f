import { setTimeout as wait } from 'node:timers/promises';
import { callerDisconnected } from '../errors.js';
import type { Cancellation } from '../http/send-http.js';

/** Waits for `ms` milliseconds. Rejects with connection_failed when the caller disconnects and aborts `cancellation`. */
export async function sleep(ms: number, cancellation?: Cancellation): Promise<void> {
  const woken = new AbortController();
  const wake = () => woken.abort();
  cancellation?.addEventListener('abort', wake, { once: true });
  try {
    await wait(ms, undefined, { signal: woken.signal });
  } catch {
    throw callerDisconnected();
  } finally {
    cancellation?.removeEventListener('abort', wake);
  }
}
