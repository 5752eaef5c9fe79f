import { stillRegistered } from '../applications/redirect-urls.js';
import { type Account, toAccount } from '../connections/account.js';
import { ServiceError } from '../errors.js';
import type { Commit } from '../records/commit.js';
import type { PendingApprovalRow } from '../storage/authorization-rows.js';
import type { Storage } from '../storage/storage.js';
import type { Digest } from '../vault/pepper.js';
import { type PendingApprovals, requestDigest } from './pending-approvals.js';
import { refusalReason } from './refuse-approval.js';
import type { SaveTokens } from './save-tokens.js';

export interface VerifyApprovalParts {
  readonly storage: Pick<Storage, 'applications' | 'accounts' | 'pendingApprovals'>;
  readonly pendingApprovals: PendingApprovals;
  readonly saveTokens: SaveTokens;
  readonly commit: Commit;
  readonly digest: Digest;
  readonly environmentUrl: string;
}

/** A page of ours that tells this to the user, whom the application may send there. */
export const OTHER_IDENTIFIER_PAGE = '/connect/ended/other-identifier';

/** What the application's own session says of the browser that came to its verify URL. */
export interface Verification {
  readonly authRequestId: string;
  readonly identifier: string;
}

export interface VerifiedAccount extends Account {
  /** Where the link wanted the browser to go. */
  readonly successUrl?: string;
}

/** Makes the account authorized when it is the user's who approved. Throws not_found, or verification_failed when it is not. */
export type VerifyApproval = (applicationId: string, verification: Verification) => Promise<VerifiedAccount>;

const notPending = () =>
  new ServiceError(
    'not_found',
    'There is nothing to verify under this authRequestId: it is unknown, was verified or refused before, or is older than 10 minutes. Make a new authorization link.',
  );

export const otherIdentifier = (environmentUrl: string) =>
  new ServiceError(
    'verification_failed',
    'The approval was for another identifier, so its tokens were deleted and nothing was connected: the user who approved is not the one whom the link was made for. A page for that user stands at pageUrl.',
    { reason: 'other_identifier', pageUrl: `${environmentUrl}${OTHER_IDENTIFIER_PAGE}` },
  );

export function createVerifyApproval(parts: VerifyApprovalParts): VerifyApproval {
  const { storage, pendingApprovals, saveTokens, commit, digest, environmentUrl } = parts;

  // Told to the owner's part of the audit log; who asked learns no more than that there is nothing.
  async function refuseUnknown(applicationId: string, authRequestId: string): Promise<never> {
    const owner = await storage.pendingApprovals.findOwner(requestDigest(digest, authRequestId));
    const isForeign = owner !== undefined && owner.ownerId !== applicationId;
    const about = isForeign
      ? { applicationId: owner.ownerId, object: owner.accountId, reason: 'other_application' }
      : { applicationId, object: owner?.accountId ?? 'unknown', reason: 'not_pending' };
    await commit(async (_tables, tell) =>
      tell({ action: 'account.verification_refused', result: 'refused', ...about }),
    );
    throw notPending();
  }

  const activate = async (pending: PendingApprovalRow) => {
    const { applicationId, accountId: object } = pending;
    return saveTokens(await pendingApprovals.open(pending), async (tables, tell) => {
      if (!(await tables.pendingApprovals.take(applicationId, pending.id))) throw notPending();
      tell({ action: 'account.verified', applicationId, object });
    });
  };

  return async (applicationId, { authRequestId, identifier }) => {
    const pending = await pendingApprovals.find(applicationId, authRequestId);
    if (!pending) return refuseUnknown(applicationId, authRequestId);
    const account = await storage.accounts.find(applicationId, pending.accountId);
    if (account?.identifier !== identifier) {
      await pendingApprovals.refuse(pending, 'other_identifier');
      throw otherIdentifier(environmentUrl);
    }
    const saved = await activate(pending).catch(async (error: unknown) => {
      const isConflict = error instanceof ServiceError && error.code === 'conflict';
      if (isConflict) await pendingApprovals.refuse(pending, refusalReason(error));
      throw error;
    });
    const application = await storage.applications.find(applicationId);
    const successUrl = stillRegistered(application, pending.successUrl);
    return { ...toAccount(saved), ...(successUrl !== null && { successUrl }) };
  };
}
