import type { ExecutionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import { createAccountUses, USED_WITHIN_MS } from './account-uses.js';
import { countCalls } from './count-calls.js';

/** Some of them, though not all, were written before, when nobody was told how that ended. */
class WrittenBefore extends Error {}

/** Writes executions, what they come to, and when their accounts were used: all of it or nothing, and each of them once. */
export function createWriteExecutions({ storage }: { readonly storage: Pick<Storage, 'transaction'> }) {
  const accountUses = createAccountUses();

  async function write(rows: readonly ExecutionRow[]): Promise<void> {
    const uses = accountUses.of(rows);
    await storage.transaction(async ({ executions, executionStatistics, accounts }) => {
      const inserted = await executions.insert(rows);
      if (inserted === 0) return;
      if (inserted < rows.length) throw new WrittenBefore();
      await executionStatistics.add(countCalls(rows));
      if (uses.accounts.length > 0) await accounts.markUsed(uses, USED_WITHIN_MS);
    });
    accountUses.note(uses);
  }

  return async function writeOnce(rows: readonly ExecutionRow[]): Promise<void> {
    try {
      await write(rows);
    } catch (error) {
      if (!(error instanceof WrittenBefore)) throw error;
      const half = Math.ceil(rows.length / 2);
      await writeOnce(rows.slice(0, half));
      await writeOnce(rows.slice(half));
    }
  };
}
