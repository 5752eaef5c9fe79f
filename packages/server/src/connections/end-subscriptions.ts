import type { Account } from '../storage/accounts-table.js';

/**
 * Deletes the webhook subscriptions of an account whose access is about to end, at the upstream too. Never rejects
 * because of the upstream. `isAway`: the upstream is down, so it is not asked.
 */
export type EndSubscriptions = (
  account: Pick<Account, 'applicationId' | 'id' | 'connector'>,
  options?: { readonly isAway?: boolean | undefined },
) => Promise<void>;

/**
 * Creates a function that calls another one, which is set later. Ending a subscription needs the components for tool
 * calls, which need the components for accounts.
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
