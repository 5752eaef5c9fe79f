import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';
import type { AccountUses } from '../storage/account-uses-table.js';
import type { ExecutionRow } from '../storage/schema.js';

/** What is written of an account's last use is written again when it is so old: it is told to within five minutes. */
export const USED_WITHIN_MS = 4 * 60_000;
const MOST_KNOWN = 20_000;

/** Says of executions which accounts they have used, but for those of which that was written not long ago. */
export function createAccountUses() {
  const written = new LRUCache<string, number>(entryLimit(MOST_KNOWN));

  return {
    of: (executions: readonly ExecutionRow[]): AccountUses => {
      const usedAt = executions.reduce(
        (last, { startedAt, durationMs }) => Math.max(last, startedAt + durationMs),
        0,
      );
      const isDue = ({ accountId }: ExecutionRow) => (written.get(accountId) ?? 0) <= usedAt - USED_WITHIN_MS;
      const due = new Map(executions.filter(isDue).map((execution) => [execution.accountId, execution]));
      const accounts = [...due.values()].map(({ applicationId, accountId: id }) => ({ applicationId, id }));
      return { accounts, usedAt };
    },
    /** To be told when that is written. */
    note: ({ accounts, usedAt }: AccountUses): void => {
      for (const { id } of accounts) written.set(id, usedAt);
    },
  };
}
