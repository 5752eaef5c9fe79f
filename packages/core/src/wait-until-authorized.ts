import { assert } from './errors.js';
import type { ConnectedAccount } from './resources.js';
import type { CallOptions } from './tool.js';

/** Options of the wait for a user's consent. */
export interface WaitOptions extends Omit<CallOptions, 'timeout'> {
  /** Milliseconds for the whole wait. Default: 1800000, the lifetime of a link. */
  timeout?: number | undefined;
  /** Milliseconds between two requests. Default: 2000. */
  interval?: number | undefined;
}

/** Requests an account until it is authorized. */
export async function waitUntilAuthorized(
  getAccount: (options: CallOptions) => Promise<ConnectedAccount>,
  { timeout = 1_800_000, interval = 2000, ...options }: WaitOptions = {},
): Promise<ConnectedAccount> {
  const deadline = Date.now() + timeout;
  for (;;) {
    const account = await getAccount({ ...options, timeout: Math.max(1, deadline - Date.now()) });
    const { connectionName, status } = account;
    if (status === 'authorized') return account;
    assert(
      Date.now() + interval < deadline,
      'timeout',
      `The user has not approved "${connectionName}" in time; the account is ${status}.`,
    );
    await pause(interval, options.signal as AbortSignal | undefined);
  }
}

/** Waits, and rejects with the reason of the signal when it aborts. */
async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => resolve();
  const timer = setTimeout(end, milliseconds);
  signal?.addEventListener('abort', end);
  await promise;
  clearTimeout(timer);
  signal?.removeEventListener('abort', end);
  signal?.throwIfAborted();
}
