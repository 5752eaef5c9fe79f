import { setTimeout as wait } from 'node:timers/promises';
import type { Cancellation } from '../http/send-http.js';

/** Waits for `ms` milliseconds. Rejects when `cancellation` is aborted. */
export async function sleep(ms: number, cancellation?: Cancellation): Promise<void> {
  const woken = new AbortController();
  const wake = () => woken.abort();
  cancellation?.addEventListener('abort', wake, { once: true });
  try {
    await wait(ms, undefined, { signal: woken.signal });
  } finally {
    cancellation?.removeEventListener('abort', wake);
  }
}
