import {
  stillRegistered,
  successRedirect,
  verifyRedirect,
  verifyUrlOf,
} from '../applications/redirect-urls.js';
import { findApplication } from '../connections/find-account.js';
import type { PendingConsentRow } from '../storage/authorization-rows.js';
import type { Storage } from '../storage/storage.js';
import { consentIsOver } from './authorization-flow.js';
import type { AuthorizedTokens } from './exchange-code.js';
import { CONNECTED, type LinkResults } from './link-results.js';
import type { PendingConsents } from './pending-consents.js';
import type { SaveTokens } from './save-tokens.js';

/** URL to which the user's browser is redirected next. */
export interface Redirect {
  readonly redirectTo: string;
}

export interface StoreConsentParts {
  readonly storage: Pick<Storage, 'applications'>;
  readonly pendingConsents: Pick<PendingConsents, 'store'>;
  readonly saveTokens: SaveTokens;
  readonly results: Pick<LinkResults, 'resultUrl'>;
  readonly now: () => number;
}

type OfLink = Pick<PendingConsentRow, 'linkId' | 'successUrl' | 'applicationState'>;

export function createStoreConsent(parts: StoreConsentParts) {
  const { storage, pendingConsents, saveTokens, results, now } = parts;

  /**
   * Stores a user's tokens or key in the account. If the application must verify the user first, stores them as a
   * pending consent (rule O4 in security-rules.md). Returns the next URL of the browser.
   */
  async function storeConsent(
    authorized: AuthorizedTokens,
    { linkId, successUrl, applicationState }: OfLink,
  ): Promise<Redirect> {
    const application = await findApplication(storage, authorized.applicationId);
    const verifyUrl = verifyUrlOf(application);
    if (verifyUrl !== undefined) {
      const link = { linkId, successUrl, applicationState };
      const authRequestId = await pendingConsents.store(authorized, link);
      return { redirectTo: verifyRedirect(verifyUrl, authRequestId, applicationState) };
    }
    await saveTokens(authorized, async ({ authorizationLinks }) => {
      const ended = { applicationId: authorized.applicationId, id: linkId };
      // A revocation of the account deletes its links. It must also end a consent that has already reached the service.
      if (!(await authorizationLinks.end(ended, { outcome: CONNECTED, now: now() }))) throw consentIsOver();
    });
    const registered = stillRegistered(application, successUrl);
    const redirectTo =
      registered === null ? results.resultUrl(linkId) : successRedirect(registered, applicationState);
    return { redirectTo };
  }
  return storeConsent;
}

export type StoreConsent = ReturnType<typeof createStoreConsent>;
