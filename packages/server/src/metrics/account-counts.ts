import type { AccountCount, AccountPosition } from '../storage/account-counts-table.js';
import type { Storage } from '../storage/storage.js';
import { type CachedCountParts, createCachedCount } from './cached-count.js';

export interface AccountCountsParts extends Omit<CachedCountParts<never>, 'count'> {
  readonly storage: Pick<Storage, 'accountCounts'>;
}

/**
 * Maximum number of accounts that one SQL statement counts. In SQLite a statement blocks all others, for about 5 ms
 * with this number.
 */
const SLICE = 10_000;

const keyOf = ({ connector, status }: AccountCount): string => `${connector} ${status}`;

/** Creates the count of all accounts by connector and status. */
export function createAccountCounts({ storage, now, onError }: AccountCountsParts) {
  async function count(): Promise<readonly AccountCount[]> {
    const sums = new Map<string, AccountCount>();
    for (let after: AccountPosition | undefined, isMore = true; isMore; ) {
      const slice = await storage.accountCounts.countSlice(after, SLICE);
      for (const found of slice.counts) {
        const sum = (sums.get(keyOf(found))?.count ?? 0) + found.count;
        sums.set(keyOf(found), { ...found, count: sum });
      }
      after = slice.last;
      isMore = after !== undefined;
    }
    return [...sums.values()];
  }

  const { refresh, read } = createCachedCount({ count, now, onError });
  return { refresh, read: (): readonly AccountCount[] => read() ?? [] };
}

export type AccountCounts = ReturnType<typeof createAccountCounts>;
