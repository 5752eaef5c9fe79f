import type { Commit } from '../records/commit.js';
import type { Account } from '../storage/accounts-table.js';
import type { Lock } from '../storage/lock.js';
import type { AuditEventRow, ConnectionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import type { AccountCache } from './account-cache.js';
import { findConnection } from './find-account.js';
import type { KeepTokens } from './keep-tokens.js';
import type { WaitingTokens } from './remove-account.js';
import type { Revoke, Revoked } from './revoke.js';

export interface RevokeAccountsParts {
  readonly storage: Pick<Storage, 'accounts' | 'connections' | 'auditEvents'>;
  readonly revoke: Revoke;
  readonly pendingApprovals: WaitingTokens;
  readonly keepTokens: Pick<KeepTokens, 'settle'>;
  readonly commit: Commit;
  readonly lock: Lock;
  readonly cache: AccountCache;
  readonly now: () => number;
}

/** What was done to one account. */
export interface RevocationReceipt {
  readonly accountId: string;
  readonly identifier: string;
  readonly upstream: Revoked;
  /** Its tokens, keys and credentials are gone from the database. */
  readonly local: 'deleted';
  readonly at: string;
}

export interface ConnectionName {
  readonly applicationId: string;
  readonly connectionName: string;
}

/** Ends the access of every account of a connection; the accounts stay, and their users can approve again. */
export interface RevokeAccounts {
  /** How many accounts there are to do. */
  count(name: ConnectionName, isDone: (accountId: string) => boolean): Promise<number>;
  /** One after the other as they are done, several at a time. What is interrupted can be done again. */
  run(name: ConnectionName, isDone: (accountId: string) => boolean): AsyncIterable<RevocationReceipt>;
}

const REASON = 'revoked_by_operator';
const PAGE_SIZE = 200;
const AT_ONCE = 8;

const holdsSecrets = ({ accessToken, refreshToken, credentials, status }: Account): boolean =>
  accessToken !== null || refreshToken !== null || credentials !== '{}' || status === 'pending_verification';

const isRevoked = ({ statusReason }: Account): boolean => statusReason === REASON;

const EMPTIED = {
  status: 'reauthorization_required',
  statusReason: REASON,
  accessToken: null,
  refreshToken: null,
  credentials: '{}',
  expiresAt: null,
  refreshStartedAt: null,
} as const;

export function createRevokeAccounts(parts: RevokeAccountsParts): RevokeAccounts {
  const { storage, revoke, pendingApprovals, keepTokens, commit, lock, cache, now } = parts;

  async function* accountsOf({ applicationId, id: connectionId }: ConnectionRow): AsyncIterable<Account> {
    let after: Account | undefined;
    for (;;) {
      const page: Account[] = await storage.accounts.list(applicationId, {
        connectionId,
        after,
        limit: PAGE_SIZE,
      });
      yield* page;
      after = page.at(-1);
      if (page.length < PAGE_SIZE) return;
    }
  }

  const toReceipt = ({ id, identifier }: Account, upstream: Revoked, at: number): RevocationReceipt => ({
    accountId: id,
    identifier,
    upstream,
    local: 'deleted',
    at: new Date(at).toISOString(),
  });

  /** Whether it was still that version. */
  async function empty(account: Account, upstream: Revoked): Promise<boolean> {
    const { applicationId, id } = account;
    const changed = await commit(async (tables, tell) => {
      const row = await tables.accounts.change(account, { ...EMPTIED, updatedAt: now() });
      const event = { action: 'account.reauthorization_required', applicationId, object: id } as const;
      if (row) tell({ ...event, reason: `${REASON}, upstream: ${upstream}` });
      return row !== undefined;
    });
    cache.drop(id);
    return changed;
  }

  // In the lock, so that a refresh in flight does not leave new tokens behind; an approval may, and is revoked as well.
  const revokeOne = (connection: ConnectionRow, { applicationId, id }: Account) =>
    lock(id, async () => {
      await keepTokens.settle(id);
      for (;;) {
        const latest = await storage.accounts.find(applicationId, id);
        if (!latest) return undefined;
        await pendingApprovals.discardOf({ applicationId, id });
        const upstream = await revoke(connection, latest);
        if (await empty(latest, upstream)) return toReceipt(latest, upstream, now());
      }
    });

  const outcomeIn = ({ reason }: AuditEventRow): Revoked | undefined => {
    const [, text] = reason?.split(`${REASON}, upstream: `) ?? [];
    // Nobody but `empty` writes this reason.
    return text as Revoked | undefined;
  };

  /** The receipt of an account that was done by a command which ended before it could give it. */
  async function findReceipt(account: Account): Promise<RevocationReceipt | undefined> {
    const { applicationId, id } = account;
    let last: RevocationReceipt | undefined;
    let after: AuditEventRow | undefined;
    do {
      const events = await storage.auditEvents.list({
        applicationId,
        since: account.updatedAt,
        after,
        limit: PAGE_SIZE,
      });
      for (const event of events) {
        const upstream = event.object === id ? outcomeIn(event) : undefined;
        if (upstream !== undefined) last = toReceipt(account, upstream, event.at);
      }
      after = events.at(PAGE_SIZE - 1);
    } while (after);
    return last;
  }

  async function receiptOf(
    connection: ConnectionRow,
    account: Account,
  ): Promise<RevocationReceipt | undefined> {
    return holdsSecrets(account) ? revokeOne(connection, account) : findReceipt(account);
  }

  const isToDo = (account: Account, isDone: (accountId: string) => boolean): boolean =>
    holdsSecrets(account) || (isRevoked(account) && !isDone(account.id));

  return {
    async count({ applicationId, connectionName }, isDone) {
      let count = 0;
      const connection = await findConnection(storage, applicationId, connectionName);
      for await (const account of accountsOf(connection)) if (isToDo(account, isDone)) count += 1;
      return count;
    },

    async *run({ applicationId, connectionName }, isDone) {
      const connection = await findConnection(storage, applicationId, connectionName);
      let running: Promise<RevocationReceipt | undefined>[] = [];
      async function* settle() {
        const receipts = await Promise.all(running);
        running = [];
        for (const receipt of receipts) if (receipt) yield receipt;
      }
      for await (const account of accountsOf(connection)) {
        if (!isToDo(account, isDone)) continue;
        running.push(receiptOf(connection, account));
        if (running.length === AT_ONCE) yield* settle();
      }
      yield* settle();
    },
  };
}
