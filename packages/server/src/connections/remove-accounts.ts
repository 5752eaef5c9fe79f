import { createMonotonicClock } from '../concurrency/monotonic-clock.js';
import type { ConnectionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import type { RemoveAccount } from './remove-account.js';
import { outcomeOf, type Revoked } from './revoke.js';

export interface RemoveAccountsParts {
  readonly storage: Pick<Storage, 'accounts'>;
  readonly removeAccount: RemoveAccount;
  readonly now: () => number;
}

// As many as an application holds at once on PostgreSQL: whoever waited for half a minute would give up.
const REMOVED_AT_ONCE = 8;
// An endpoint that is away costs each of them half a minute, and somebody waits for the end of them all.
const PATIENCE_MS = 60_000;

/** Deletes every account of a connection, each as if it were deleted alone until the upstream is known to be away. */
export const createRemoveAccounts =
  ({ storage, removeAccount, now: clock }: RemoveAccountsParts) =>
  async ({ applicationId, id }: Pick<ConnectionRow, 'applicationId' | 'id'>): Promise<void> => {
    const now = createMonotonicClock(clock);
    let awaySince: number | undefined;
    const hear = (outcomes: readonly Revoked[], since: number): void => {
      const isAny = (wanted: string) => outcomes.some((revoked) => outcomeOf(revoked) === wanted);
      if (isAny('revoked')) awaySince = undefined;
      else if (isAny('failed')) awaySince ??= since;
    };
    for (;;) {
      const accounts = await storage.accounts.list(applicationId, {
        connectionId: id,
        limit: REMOVED_AT_ONCE,
      });
      if (accounts.length === 0) return;
      const began = now();
      const isAway = awaySince !== undefined && began - awaySince >= PATIENCE_MS;
      hear(await Promise.all(accounts.map((account) => removeAccount(account, { isAway }))), began);
    }
  };
