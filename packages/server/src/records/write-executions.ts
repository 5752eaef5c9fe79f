import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';
import type { AccountUses } from '../storage/accounts-table.js';
import type { NamedUser } from '../storage/named-users-table.js';
import type { ExecutionRow } from '../storage/schema.js';
import type { Storage, Tables } from '../storage/storage.js';
import type { ChangeReporter } from './commit.js';
import { isRefusal, type WrittenExecution } from './count-refusals.js';
import { countCalls } from './execution-statistics.js';

/**
 * Minimum time in milliseconds between two updates of the stored time at which an account was last used. Operators see
 * this time with a delay of up to five minutes.
 */
const LAST_USE_MS = 4 * 60_000;
const MAX_ACCOUNTS = 20_000;

/**
 * Creates the function that finds the accounts whose time of last use must be updated in the database. Refused calls do
 * not count as a use.
 */
function createAccountUses() {
  const written = new LRUCache<string, number>(entryLimit(MAX_ACCOUNTS));

  return {
    of: (executions: readonly WrittenExecution[]): AccountUses => {
      const usedAt = executions.reduce(
        (last, { startedAt, durationMs }) => Math.max(last, startedAt + durationMs),
        0,
      );
      const due = new Map<string, AccountUses['accounts'][number]>();
      for (const execution of executions) {
        const { applicationId, accountId: id } = execution;
        if (id === null || isRefusal(execution)) continue;
        if ((written.get(id) ?? 0) <= usedAt - LAST_USE_MS) due.set(id, { applicationId, id });
      }
      return { accounts: [...due.values()], usedAt };
    },
    /**
     * Remembers when each account's time of last use was written, so that the next calls do not write it again too
     * soon.
     */
    remember: ({ accounts, usedAt }: AccountUses): void => {
      for (const { id } of accounts) written.set(id, usedAt);
    },
  };
}

const SEEN_MS = 3_600_000;

/** Finds the users that refused calls named, and whose rows have not been written in the last hour. */
function createNamedUsers() {
  const written = new LRUCache<string, number>(entryLimit(MAX_ACCOUNTS));
  const keyOf = ({ applicationId, identifier }: NamedUser) => JSON.stringify([applicationId, identifier]);

  return {
    of: (executions: readonly WrittenExecution[]): readonly NamedUser[] =>
      executions
        .flatMap(({ applicationId, identifier, startedAt: seenAt }) =>
          identifier === null || identifier === '' ? [] : [{ applicationId, identifier, seenAt }],
        )
        .filter((user) => (written.get(keyOf(user)) ?? 0) <= user.seenAt - SEEN_MS),
    remember: (users: readonly NamedUser[]): void => {
      for (const user of users) written.set(keyOf(user), user.seenAt);
    },
  };
}

/**
 * Merges several writes of the same row, whose `count` has grown, into one. PostgreSQL cannot insert a row twice in one
 * statement.
 */
function joinVersions(rows: readonly WrittenExecution[]): readonly WrittenExecution[] {
  if (rows.every(({ added }) => added === undefined)) return rows;
  const joined = new Map<string, WrittenExecution>();
  for (const row of rows) {
    const before = joined.get(row.id)?.added ?? 0;
    joined.set(row.id, { ...row, added: before + (row.added ?? row.count) });
  }
  return [...joined.values()];
}

/** Returns false for a write that only raises the `count` of a row that is already stored. */
const isNew = ({ added, count }: WrittenExecution): boolean => added === undefined || added === count;

/**
 * Thrown if some rows of a batch already exist in the database. An earlier transaction then committed them, although
 * its result was lost.
 */
class PartlyWritten extends Error {}

/** Writes webhook events about failed executions, in the transaction that stores the executions. */
export interface FailureReporter extends Pick<ChangeReporter, 'notify'> {
  /** Returns true if at least one webhook event was written, so that `notify` must be called after the commit. */
  readonly writeFailures: (tables: Tables, executions: readonly ExecutionRow[]) => Promise<boolean>;
}

export interface WriteExecutionsParts {
  readonly storage: Pick<Storage, 'transaction'>;
  /** Writes the webhook events about failed executions. Absent: none are written. */
  readonly reporter?: FailureReporter | undefined;
}

/**
 * Creates the function that writes executions, adds them to the call statistics, and updates the last use of their
 * accounts, in one transaction. A repeated write of the same executions changes nothing.
 */
export function createWriteExecutions({ storage, reporter }: WriteExecutionsParts) {
  const accountUses = createAccountUses();
  const namedUsers = createNamedUsers();

  async function write(given: readonly WrittenExecution[]): Promise<void> {
    const rows = joinVersions(given);
    const uses = accountUses.of(rows);
    const users = namedUsers.of(rows);
    let isReported = false;
    await storage.transaction(async (tables) => {
      const { executions, executionStatistics, accounts } = tables;
      const inserted = await executions.insert(rows);
      if (inserted === 0) return;
      if (inserted < rows.length) throw new PartlyWritten();
      await executionStatistics.add(countCalls(rows));
      await tables.namedUsers.add(users);
      if (uses.accounts.length > 0) await accounts.markUsed(uses, LAST_USE_MS);
      isReported = (await reporter?.writeFailures(tables, rows.filter(isNew))) ?? false;
    });
    accountUses.remember(uses);
    namedUsers.remember(users);
    if (isReported) reporter?.notify();
  }

  async function writeExecutions(rows: readonly WrittenExecution[]): Promise<void> {
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
