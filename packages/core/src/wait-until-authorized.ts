import { demand } from './errors.js';
import type { ConnectedAccount } from './resources.js';
import type { CallOptions } from './tool.js';

/** How long a user's approval is waited for. */
export interface WaitOptions extends Omit<CallOptions, 'timeout'> {
  /** Milliseconds for all of it. Default: 1800000, as long as a link can be used. */
  timeout?: number | undefined;
  /** Milliseconds from one look to the next. Default: 2000. */
  interval?: number | undefined;
}

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

/** Looks at an account until it is authorized. */
export async function waitUntilAuthorized(
  look: (options: CallOptions) => Promise<ConnectedAccount>,
  { timeout = 1_800_000, interval = 2000, ...options }: WaitOptions = {},
): Promise<ConnectedAccount> {
  const end = Date.now() + timeout;
  for (;;) {
    const account = await look({ ...options, timeout: Math.max(1, end - Date.now()) });
    if (account.status === 'authorized') return account;
    const { connectionName, status } = account;
    demand(
      Date.now() + interval < end,
      'timeout',
      `The user has not approved "${connectionName}" in time; the account is ${status}.`,
    );
    await pause(interval, options.signal as AbortSignal | undefined);
  }
}
