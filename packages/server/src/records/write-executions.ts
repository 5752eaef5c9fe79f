import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';
import type { AccountUses } from '../storage/accounts-table.js';
import type { ExecutionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import { countCalls } from './execution-statistics.js';

/**
 * Minimum age in milliseconds of a stored last use before it is updated. Operators see the last use of an account with
 * a delay of up to five minutes.
 */
const LAST_USE_MS = 4 * 60_000;
const MAX_ACCOUNTS = 20_000;

/** Finds the connected accounts whose time of last use has to be updated in the database. */
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
    /** Remembers which last uses were written, so that they are not written again too soon. */
    remember: ({ accounts, usedAt }: AccountUses): void => {
      for (const { id } of accounts) written.set(id, usedAt);
    },
  };
}

/** Thrown if some rows exist already, because an earlier transaction succeeded although its result was lost. */
class PartlyWritten extends Error {}

/**
 * Creates the function that writes executions, their statistics and the last use of their accounts in one transaction.
 * Each execution is written only once.
 */
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
