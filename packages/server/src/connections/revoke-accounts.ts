import type { StoredAccount } from '../storage/accounts-table.js';
import type { AuditEventRow, ConnectionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import { isoTime } from '../text/iso-time.js';
import { findConnection } from './find-account.js';
import type { Revoked } from './revoke.js';
import { holdsSecrets, type RevokeAccount } from './revoke-account.js';

/** Receipt for one revoked account: the outcome at the upstream and in the database. */
export interface RevocationReceipt {
  readonly accountId: string;
  readonly identifier: string;
  /** Label of the account. Absent without a label. */
  readonly account?: string;
  readonly upstream: Revoked;
  /** Always `deleted`: tokens, keys and credentials of the account are no longer in the database. */
  readonly local: 'deleted';
  readonly at: string;
}

export interface ConnectionName {
  readonly applicationId: string;
  readonly connectionName: string;
}

const REASON = 'revoked_by_operator';
const PAGE_SIZE = 200;
const AT_ONCE = 8;

const isRevoked = ({ statusReason }: StoredAccount): boolean => statusReason === REASON;

// True for an audit event that records the revocation of an account. Its `reason` is the outcome at the upstream.
const isRevocation = (event: AuditEventRow): event is AuditEventRow & { readonly reason: Revoked } =>
  event.action === 'account.revoked';

/**
 * Creates the functions that revoke all accounts of a connection. The accounts stay, and their users can consent again.
 */
export function createRevokeAccounts({
  storage,
  revokeAccount,
}: {
  readonly storage: Pick<Storage, 'accounts' | 'connections' | 'auditEvents' | 'pendingConsents'>;
  readonly revokeAccount: RevokeAccount;
}) {
  async function* accountsOf({
    applicationId,
    id: connectionId,
  }: ConnectionRow): AsyncIterable<StoredAccount> {
    let after: StoredAccount | undefined;
    for (;;) {
      const page: StoredAccount[] = await storage.accounts.list(applicationId, {
        connectionId,
        after,
        limit: PAGE_SIZE,
      });
      yield* page;
      after = page.at(-1);
      if (page.length < PAGE_SIZE) return;
    }
  }

  const toReceipt = (
    { id, identifier, account }: StoredAccount,
    upstream: Revoked,
    at: number,
  ): RevocationReceipt => ({
    accountId: id,
    identifier,
    ...(account !== '' && { account }),
    upstream,
    local: 'deleted',
    at: isoTime(at),
  });

  async function revokeOne(account: StoredAccount): Promise<RevocationReceipt | undefined> {
    const revoked = await revokeAccount(account, REASON);
    return revoked && toReceipt(account, revoked.upstream, revoked.account.updatedAt);
  }

  /**
   * Restores the receipt of a revoked account, which reports the outcome, from the audit log. The receipt is missing if
   * the command was interrupted after the revocation.
   */
  async function findReceipt(account: StoredAccount): Promise<RevocationReceipt | undefined> {
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
        if (event.object === id && isRevocation(event)) last = toReceipt(account, event.reason, event.at);
      }
      after = events.at(PAGE_SIZE - 1);
    } while (after);
    return last;
  }

  // An account whose access has ended can get it back from a consent that the application has not verified yet.
  const canBeRevoked = async (account: StoredAccount): Promise<boolean> =>
    holdsSecrets(account) ||
    (await storage.pendingConsents.ofAccount(account.applicationId, account.id)).length > 0;

  /**
   * Returns the work that gets the receipt of an account: its revocation, or the search for the receipt of a revoked
   * account that `isDone` does not know. Returns `undefined` if there is nothing to do.
   */
  async function workFor(account: StoredAccount, isDone: (accountId: string) => boolean) {
    if (await canBeRevoked(account)) return revokeOne;
    return isRevoked(account) && !isDone(account.id) ? findReceipt : undefined;
  }

  /**
   * Counts the accounts that `run` would process: accounts to revoke, and revoked accounts without a receipt (the
   * reported outcome of their revocation).
   */
  async function count(
    { applicationId, connectionName }: ConnectionName,
    isDone: (accountId: string) => boolean,
  ): Promise<number> {
    let total = 0;
    const connection = await findConnection(storage, applicationId, connectionName);
    for await (const account of accountsOf(connection)) if (await workFor(account, isDone)) total += 1;
    return total;
  }

  /**
   * Revokes the accounts of a connection, several at a time. Yields a receipt with the outcome for each account. An
   * interrupted run can be repeated.
   */
  async function* run(
    { applicationId, connectionName }: ConnectionName,
    isDone: (accountId: string) => boolean,
  ): AsyncIterable<RevocationReceipt> {
    const connection = await findConnection(storage, applicationId, connectionName);
    let running: Promise<RevocationReceipt | undefined>[] = [];
    async function* finishRunning() {
      const receipts = await Promise.all(running);
      running = [];
      for (const receipt of receipts) if (receipt) yield receipt;
    }
    for await (const account of accountsOf(connection)) {
      const work = await workFor(account, isDone);
      if (work === undefined) continue;
      running.push(work(account));
      if (running.length === AT_ONCE) yield* finishRunning();
    }
    yield* finishRunning();
  }

  return { count, run };
}

export type RevokeAccounts = ReturnType<typeof createRevokeAccounts>;
