import { assert } from './errors.js';
import type { ConnectedAccount } from './resources.js';
import type { CallOptions } from './tool.js';

/** Options for waiting until a user has given consent. */
export interface WaitOptions extends Omit<CallOptions, 'timeout'> {
  /** Timeout of the whole wait in milliseconds. Default: 1800000, the lifetime of an authorization link. */
  timeout?: number | undefined;
  /** Interval between two requests for the account's status, in milliseconds. Default: 2000. */
  interval?: number | undefined;
}

/** Polls an account until its user has given consent. Throws `timeout` after the given time. */
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
      `The user has not connected "${connectionName}" in time. The account is ${status}. Send the user a new link.`,
    );
    await pause(interval, options.signal as AbortSignal | undefined);
  }
}

/** Waits for a number of milliseconds. Rejects with the signal's reason when the signal aborts. */
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
