import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';
import type { AccountUses } from '../storage/accounts-table.js';
import type { ExecutionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import { countCalls } from './execution-statistics.js';

/** Age after which the stored last use of an account is written again. Operators see it to within five minutes. */
const LAST_USE_MS = 4 * 60_000;
const MAX_ACCOUNTS = 20_000;

/** Finds the accounts of executions whose last use has to be written. */
function createAccountUses() {
  const written = new LRUCache<string, number>(entryLimit(MAX_ACCOUNTS));

  return {
    of: (executions: readonly ExecutionRow[]): AccountUses => {
      const usedAt = executions.reduce(
        (last, { startedAt, durationMs }) => Math.max(last, startedAt + durationMs),
        0,
      );
      const isDue = ({ accountId }: ExecutionRow) => (written.get(accountId) ?? 0) <= usedAt - LAST_USE_MS;
      const due = new Map(executions.filter(isDue).map((execution) => [execution.accountId, execution]));
      const accounts = [...due.values()].map(({ applicationId, accountId: id }) => ({ applicationId, id }));
      return { accounts, usedAt };
    },
    /** Remembers uses that were written. */
    remember: ({ accounts, usedAt }: AccountUses): void => {
      for (const { id } of accounts) written.set(id, usedAt);
    },
  };
}

/** Some of the rows were written before, by a call whose result was lost. */
class PartlyWritten extends Error {}

/** Writes executions, their statistics and the last uses of their accounts in one transaction, and each execution once. */
export function createWriteExecutions({ storage }: { readonly storage: Pick<Storage, 'transaction'> }) {
  const accountUses = createAccountUses();

  async function write(rows: readonly ExecutionRow[]): Promise<void> {
    const uses = accountUses.of(rows);
    await storage.transaction(async ({ executions, executionStatistics, accounts }) => {
      const inserted = await executions.insert(rows);
      if (inserted === 0) return;
      if (inserted < rows.length) throw new PartlyWritten();
      await executionStatistics.add(countCalls(rows));
      if (uses.accounts.length > 0) await accounts.markUsed(uses, LAST_USE_MS);
    });
    accountUses.remember(uses);
  }

  async function writeExecutions(rows: readonly ExecutionRow[]): Promise<void> {
    try {
      await write(rows);
    } catch (error) {
      if (!(error instanceof PartlyWritten)) throw error;
      const half = Math.ceil(rows.length / 2);
      await writeExecutions(rows.slice(0, half));
      await writeExecutions(rows.slice(half));
    }
  }
  return writeExecutions;
}
