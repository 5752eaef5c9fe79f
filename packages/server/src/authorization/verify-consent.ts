import { stillRegistered } from '../applications/redirect-urls.js';
import { type Account, toAccount } from '../connections/account.js';
import { ServiceError } from '../errors.js';
import type { Commit } from '../records/commit.js';
import type { PendingConsentRow } from '../storage/authorization-rows.js';
import type { Storage } from '../storage/storage.js';
import type { Digest } from '../vault/pepper.js';
import { CONNECTED } from './link-results.js';
import { type PendingConsents, requestDigest } from './pending-consents.js';
import { refusalReason } from './refuse-consent.js';
import type { SaveTokens } from './save-tokens.js';

export interface VerifyConsentParts {
  readonly storage: Pick<Storage, 'applications' | 'accounts' | 'pendingConsents'>;
  readonly pendingConsents: PendingConsents;
  readonly saveTokens: SaveTokens;
  readonly commit: Commit;
  readonly digest: Digest;
  readonly environmentUrl: string;
  readonly now: () => number;
}

/**
 * Path of the page for a user who consented in a browser in which another user is signed in to the application. The
 * application may redirect the browser to this page.
 */
export const OTHER_IDENTIFIER_PAGE = '/connect/ended/other-identifier';

/**
 * Request by which the application verifies the user after a consent. `identifier` is the user who is signed in to the
 * application in the browser of the consent.
 */
export interface Verification {
  readonly authRequestId: string;
  readonly identifier: string;
}

export interface VerifiedAccount extends Account {
  /**
   * Success URL of the authorization link. The service returns it in the response, and the application redirects the
   * user to it.
   */
  readonly successUrl?: string;
  /** Text that the application gave as `state` when it created the authorization link. */
  readonly state?: string;
}

const notPending = () =>
  new ServiceError(
    'not_found',
    'This `authRequestId` is unknown, was already verified or refused, or is older than 10 minutes. Create a new authorization link.',
  );

export const otherIdentifier = (environmentUrl: string) =>
  new ServiceError(
    'verification_failed',
    'The user who is signed in to your application is not the user of the link, so no account was connected. Redirect the user to `details.pageUrl`, a page that explains this.',
    { reason: 'other_identifier', pageUrl: `${environmentUrl}${OTHER_IDENTIFIER_PAGE}` },
  );

export function createVerifyConsent(parts: VerifyConsentParts) {
  const { storage, pendingConsents, saveTokens, commit, digest, environmentUrl, now } = parts;

  /**
   * Writes the refused verification to the audit log of the application that owns the consent. The caller gets only
   * not_found, so it learns nothing about other applications.
   */
  async function refuseUnknown(applicationId: string, authRequestId: string): Promise<never> {
    const owner = await storage.pendingConsents.findOwner(requestDigest(digest, authRequestId));
    const isForeign = owner !== undefined && owner.ownerId !== applicationId;
    const about = isForeign
      ? { applicationId: owner.ownerId, object: owner.accountId, reason: 'other_application' }
      : { applicationId, object: owner?.accountId ?? 'unknown', reason: 'not_pending' };
    await commit(async (_tables, audit) =>
      audit({ action: 'account.verification_refused', result: 'refused', ...about }),
    );
    throw notPending();
  }

  async function activate(pending: PendingConsentRow) {
    const { applicationId, accountId: object } = pending;
    return saveTokens(await pendingConsents.open(pending), async (tables, audit) => {
      if (!(await tables.pendingConsents.take(applicationId, pending.id))) throw notPending();
      const link = { applicationId, id: pending.linkId };
      await tables.authorizationLinks.end(link, { outcome: CONNECTED, now: now() });
      audit({ action: 'account.verified', applicationId, object });
    });
  }

  /**
   * Connects the account if the user whom the application reports is the user of the authorization link. Throws
   * not_found for an unknown consent and verification_failed for another user.
   */
  async function verifyConsent(
    applicationId: string,
    { authRequestId, identifier }: Verification,
  ): Promise<VerifiedAccount> {
    const pending = await pendingConsents.find(applicationId, authRequestId);
    if (!pending) return refuseUnknown(applicationId, authRequestId);
    const account = await storage.accounts.find(applicationId, pending.accountId);
    if (account?.identifier !== identifier) {
      await pendingConsents.refuse(pending, 'other_identifier');
      throw otherIdentifier(environmentUrl);
    }
    const saved = await activate(pending).catch(async (error: unknown) => {
      const isConflict = error instanceof ServiceError && error.code === 'conflict';
      if (isConflict) await pendingConsents.refuse(pending, refusalReason(error));
      throw error;
    });
    const application = await storage.applications.find(applicationId);
    const successUrl = stillRegistered(application, pending.successUrl);
    const { applicationState: state } = pending;
    return {
      ...toAccount(saved),
      ...(successUrl !== null && { successUrl }),
      ...(state !== null && { state }),
    };
  }
  return verifyConsent;
}

export type VerifyConsent = ReturnType<typeof createVerifyConsent>;
