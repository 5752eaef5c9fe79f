import { failureRedirect, stillRegistered } from '../applications/redirect-urls.js';
import { findApplication } from '../connections/find-account.js';
import type { Storage } from '../storage/storage.js';
import type { AuthorizationLinks } from './authorization-links.js';
import type { BeginConsent } from './begin-consent.js';
import type { CompleteConsent, ConsentOutcome } from './complete-consent.js';
import type { ConsentRequest } from './permissions.js';
import { CANCELLED } from './refuse-consent.js';

export interface AuthorizeParts {
  readonly storage: Pick<Storage, 'applications'>;
  readonly links: Pick<AuthorizationLinks, 'find'>;
  readonly beginConsent: BeginConsent;
  readonly completeConsent: CompleteConsent;
}

/**
 * Creates the steps of the consent flow in the user's browser, from the authorization link to the connected account.
 */
export function createAuthorize({ storage, links, beginConsent, completeConsent }: AuthorizeParts) {
  /** Returns the content of the connect page for an authorization link. The one-time link stays usable. */
  async function describe(token: string): Promise<ConsentRequest> {
    return (await links.find(token)).request;
  }

  /** Ends the consent flow of a user who declines. The one-time authorization link stays usable. */
  async function cancel(token: string): Promise<ConsentOutcome> {
    const { link, request } = await links.find(token);
    const application = await findApplication(storage, link.applicationId);
    const failureUrl = stillRegistered(application, link.failureUrl);
    return failureUrl === null
      ? { parties: request }
      : { redirectTo: failureRedirect(failureUrl, CANCELLED, link.applicationState) };
  }

  return { describe, cancel, begin: beginConsent, complete: completeConsent };
}

export type Authorize = ReturnType<typeof createAuthorize>;
