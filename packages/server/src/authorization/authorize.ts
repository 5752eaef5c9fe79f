import { failureRedirect, stillRegistered } from '../applications/redirect-urls.js';
import { findApplication } from '../connections/find-account.js';
import type { AuthorizationLinkRow } from '../storage/authorization-rows.js';
import type { Storage } from '../storage/storage.js';
import type { AuthorizationLinks } from './authorization-links.js';
import type { BeginConsent } from './begin-consent.js';
import type { CompleteConsent } from './complete-consent.js';
import { CANCELLED } from './consent-errors.js';
import type { EnterKey } from './enter-key.js';
import type { LinkResults } from './link-results.js';
import type { ConsentRequest } from './permissions.js';
import type { Redirect } from './store-consent.js';

export interface AuthorizeParts {
  readonly storage: Pick<Storage, 'applications' | 'authorizationLinks'>;
  readonly links: Pick<AuthorizationLinks, 'find'>;
  readonly results: Pick<LinkResults, 'resultUrl' | 'describeResult'>;
  readonly beginConsent: BeginConsent;
  readonly completeConsent: CompleteConsent;
  readonly enterKey: EnterKey;
  readonly now: () => number;
}

/**
 * Creates the steps of the consent flow in the user's browser, from the authorization link to the connected account.
 */
export function createAuthorize(parts: AuthorizeParts) {
  const { storage, links, results, beginConsent, completeConsent, enterKey, now } = parts;

  /**
   * Returns the content of the connect page for an authorization link, without using up the link. Returns the URL of
   * the result page if the consent has ended in this browser.
   */
  async function describe(token: string, browser: string | undefined): Promise<ConsentRequest | Redirect> {
    const found = await links.find(token, browser);
    if ('endedLinkId' in found) return { redirectTo: results.resultUrl(found.endedLinkId) };
    return found.request;
  }

  /**
   * Ends a link whose consent began in this browser. A link that was not used stays usable, so that the user can go
   * back.
   */
  async function endUsed({ applicationId, id, usedAt }: AuthorizationLinkRow): Promise<void> {
    if (usedAt === null) return;
    await storage.authorizationLinks.end({ applicationId, id }, { outcome: CANCELLED, now: now() });
  }

  /**
   * Ends the consent flow of a user who declines. Returns undefined if the link stays usable and the application has no
   * page for failures.
   */
  async function cancel(token: string, browser: string): Promise<Redirect | undefined> {
    const found = await links.find(token, browser);
    if ('endedLinkId' in found) return { redirectTo: results.resultUrl(found.endedLinkId) };
    const { link } = found;
    await endUsed(link);
    const application = await findApplication(storage, link.applicationId);
    const failureUrl = stillRegistered(application, link.failureUrl);
    if (failureUrl !== null)
      return { redirectTo: failureRedirect(failureUrl, CANCELLED, link.applicationState) };
    return link.usedAt === null ? undefined : { redirectTo: results.resultUrl(link.id) };
  }

  return {
    describe,
    describeResult: results.describeResult,
    cancel,
    begin: beginConsent,
    enterKey,
    complete: completeConsent,
  };
}

export type Authorize = ReturnType<typeof createAuthorize>;
