import type { StoredAccount } from '../storage/accounts-table.js';

/**
 * Function that deletes the webhook subscriptions of an account, in the database and at the upstream. Call it before
 * the account loses its access. Failures at the upstream are ignored. `isAway`: the upstream is down, so it is not
 * called.
 */
export type EndSubscriptions = (
  account: Pick<StoredAccount, 'applicationId' | 'id' | 'connector'>,
  options?: { readonly isAway?: boolean | undefined },
) => Promise<void>;

/**
 * Creates an `endSubscriptions` function whose implementation is set later with `use`. The implementation executes
 * tools, and tools need the components for accounts, so it is created after them.
 */
export function createLateEnd() {
  let current: EndSubscriptions = async () => undefined;
  const endSubscriptions: EndSubscriptions = (account, options) => current(account, options);
  return {
    endSubscriptions,
    use: (end: EndSubscriptions): void => {
      current = end;
    },
  };
}
