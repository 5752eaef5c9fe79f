import type { CurrentCaller } from '../caller.js';
import { ServiceError } from '../errors.js';
import type { CallApprovalStatus } from '../names/approval-statuses.js';
import {
  type Page,
  type PageRequest,
  pageSizeOf,
  type RowCount,
  readCursor,
  type TimeOrder,
  toPage,
} from '../page.js';
import type { Commit } from '../records/commit.js';
import { compareBy } from '../records/merge-pages.js';
import { secret } from '../secret.js';
import type { CallApprovalRow } from '../storage/approval-rows.js';
import type { CallApprovalOf, CallApprovalQuery } from '../storage/call-approvals-table.js';
import { sumCounts } from '../storage/count-rows.js';
import type { Storage } from '../storage/storage.js';
import type { Vault } from '../vault/vault.js';
import { type ApprovalExpiry, HOLDS_MS } from './approval-expiry.js';
import type { ApprovalLinks } from './approval-links.js';
import { type CallApproval, callApprovalLocation, openCall, toCallApproval } from './call-approval.js';
import { hideSecrets } from './describe-call.js';

interface CallApprovalsParts {
  readonly storage: Pick<Storage, 'accounts' | 'callApprovals'>;
  readonly expiry: ApprovalExpiry;
  readonly approvalLinks: ApprovalLinks;
  readonly commit: Commit;
  readonly vault: Vault;
  readonly caller: CurrentCaller;
  readonly now: () => number;
}

export interface Decision {
  readonly decision: 'approve' | 'deny';
  /** Reason for approving or denying the call. The caller of the tool gets it in the error message. */
  readonly reason?: string | undefined;
}

export interface CallApprovalFilter extends PageRequest {
  readonly status?: CallApprovalStatus | undefined;
  /** Identifier of the user whose approvals are listed. */
  readonly identifier?: string | undefined;
  readonly order?: TimeOrder | undefined;
}

/**
 * Operations on the approvals of an application's tool calls. They throw not_found for approval ids of other
 * applications.
 */
export interface CallApprovals {
  /** Lists the application's approvals, newest first by default. */
  list(applicationId: string, filter: CallApprovalFilter): Promise<Page<CallApproval>>;
  /** Counts the application's approvals. Decrypts nothing. */
  count(applicationId: string, filter: CallApprovalFilter): Promise<RowCount>;
  get(applicationId: string, id: string): Promise<CallApproval>;
  /**
   * Stores a person's decision to approve or deny the call. Throws conflict if the approval has expired or already has
   * the opposite decision. Throws forbidden for the bearer of an access token.
   */
  decide(applicationId: string, id: string, decision: Decision): Promise<CallApproval>;
  /** Finds the approval that a signed link refers to. Throws not_found if the link's signature is invalid. */
  findByLink(
    token: string,
  ): Promise<{ readonly applicationId: string; readonly approval: CallApproval; readonly connector: string }>;
}

const notFound = (): ServiceError =>
  new ServiceError(
    'not_found',
    'This approval does not exist or was deleted. Compare its id or link with the one in the error "approval_required". If they are the same, the approval was deleted: repeat the tool call to request another approval.',
  );

/** Maximum number of accounts of a user whose approvals are merged into one list. */
const MAX_ACCOUNTS = 100;

const STATUS_OF = { approve: 'approved', deny: 'denied' } as const;

/** Statuses of an approval in which the same decision was already stored, so that a repeated request succeeds. */
const AFTER: Readonly<Record<Decision['decision'], readonly CallApprovalStatus[]>> = {
  approve: ['approved', 'running', 'executed'],
  deny: ['denied'],
};

function decidedOtherwise({ status }: CallApprovalRow): ServiceError {
  const why = status === 'expired' ? 'it has expired' : `its status is "${status}"`;
  return new ServiceError(
    'conflict',
    `This approval can no longer be decided, because ${why}. Nothing was changed. If the call is still needed, its caller must send it again.`,
    { status },
  );
}

export function createCallApprovals(parts: CallApprovalsParts): CallApprovals {
  const { storage, expiry, approvalLinks, vault, commit, caller, now } = parts;

  async function show(row: CallApprovalOf): Promise<CallApproval> {
    const { sentence, input, object } = await openCall(vault, row);
    const reason =
      row.reason === null ? undefined : await vault.open(callApprovalLocation(row, 'reason'), row.reason);
    return toCallApproval(row, {
      sentence,
      toolInput: hideSecrets(input),
      ...(object && { object }),
      ...(reason && { reason: reason.reveal() }),
    });
  }

  async function find(applicationId: string, id: string): Promise<CallApprovalOf> {
    const row = await expiry.find({ applicationId, id });
    if (row) return row;
    throw notFound();
  }

  /** Lists the approvals of all accounts of a user, in the order of `query`. */
  async function listOfUser(
    applicationId: string,
    identifier: string,
    query: CallApprovalQuery,
  ): Promise<readonly CallApprovalOf[]> {
    const accounts = await storage.accounts.listOfUser(applicationId, identifier, MAX_ACCOUNTS);
    const lists = await Promise.all(
      accounts.map(({ id }) => storage.callApprovals.list(applicationId, { ...query, accountId: id })),
    );
    const isNewestFirst = query.oldestFirst !== true;
    return lists.flat().sort(compareBy('createdAt', { isNewestFirst })).slice(0, query.limit);
  }

  async function count(applicationId: string, { status, identifier }: CallApprovalFilter): Promise<RowCount> {
    if (identifier === undefined) return storage.callApprovals.countListed(applicationId, { status });
    const accounts = await storage.accounts.listOfUser(applicationId, identifier, MAX_ACCOUNTS);
    const counts = accounts.map(({ id: accountId }) =>
      storage.callApprovals.countListed(applicationId, { status, accountId }),
    );
    return sumCounts(await Promise.all(counts));
  }

  /**
   * Returns the actor who approves or denies a call. Throws forbidden for bearers of access tokens, because the model
   * that requested the call may have such a token.
   */
  function checkDecider(): string {
    const { actor } = caller();
    if (!actor.startsWith('token:')) return actor;
    throw new ServiceError(
      'forbidden',
      'An account token or agent token cannot approve or deny calls. Ask the application, an operator, or a person with the approval link to decide.',
    );
  }

  return {
    async list(applicationId, { status, identifier, order, ...page }) {
      const cursor = readCursor(page);
      const after = cursor && { createdAt: cursor.at, id: cursor.id };
      const query = { status, after, oldestFirst: order === 'oldest', limit: pageSizeOf(page) + 1 };
      const rows =
        identifier === undefined
          ? await storage.callApprovals.list(applicationId, query)
          : await listOfUser(applicationId, identifier, query);
      const { items, ...next } = toPage(rows, page, {
        keys: (row) => [String(row.createdAt), row.id],
        item: (row) => row,
      });
      return { items: await Promise.all(items.map(show)), ...next };
    },

    count,

    get: async (applicationId, id) => show(await find(applicationId, id)),

    async decide(applicationId, id, { decision, reason }) {
      const decidedBy = checkDecider();
      const row = await find(applicationId, id);
      const sealed =
        reason === undefined ? null : await vault.seal(callApprovalLocation(row, 'reason'), secret(reason));
      const status = STATUS_OF[decision];
      const decided = await commit(async ({ callApprovals }, audit) => {
        const time = now();
        const change = {
          status,
          decidedBy,
          decidedAt: time,
          reason: sealed,
          holdsUntil: time + HOLDS_MS,
        };
        const changed = await callApprovals.change(row, { statuses: ['pending'] }, change);
        const action = `approval.${status}` as const;
        if (changed) audit({ action, applicationId, object: id, reason: row.toolName });
        return changed;
      });
      const latest = decided ? { ...row, ...decided } : await find(applicationId, id);
      if (decided || AFTER[decision].includes(latest.status)) return show(latest);
      throw decidedOtherwise(latest);
    },

    async findByLink(token) {
      const id = approvalLinks.read(token);
      const row = id === undefined ? undefined : await storage.callApprovals.findByLink(id);
      if (!row) throw notFound();
      const { applicationId, connector } = row;
      return { applicationId, connector, approval: await show(await expiry.refresh(row)) };
    },
  };
}
