import {
  failureRedirect,
  stillRegistered,
  successRedirect,
  verifyRedirect,
  verifyUrlOf,
} from '../applications/redirect-urls.js';
import { findApplication } from '../connections/find-account.js';
import { ServiceError } from '../errors.js';
import type { AuthorizationFlowRow } from '../storage/authorization-rows.js';
import type { Storage } from '../storage/storage.js';
import { type AccountParties, type PartiesLookup, toConsentError } from './account-parties.js';
import type { Callback, ConsumeFlow } from './authorization-flow.js';
import type { DiscardTokens } from './discard-tokens.js';
import type { AuthorizedTokens, ExchangeCode, ExchangedCode } from './exchange-code.js';
import type { PendingConsents } from './pending-consents.js';
import { auditedReason, failureCode, type RefuseConsent } from './refuse-consent.js';
import type { SaveTokens } from './save-tokens.js';

export interface CompleteConsentParts {
  readonly storage: Pick<Storage, 'applications'>;
  readonly parties: PartiesLookup;
  readonly consumeFlow: ConsumeFlow;
  readonly exchangeCode: ExchangeCode;
  readonly pendingConsents: Pick<PendingConsents, 'store'>;
  readonly saveTokens: SaveTokens;
  readonly discardTokens: DiscardTokens;
  readonly refuseConsent: RefuseConsent;
}

/** Redirect to the application, or the names that the final page of this service shows. */
export type ConsentOutcome = { readonly redirectTo: string } | { readonly parties: AccountParties };

export function createCompleteConsent(parts: CompleteConsentParts) {
  const { storage, parties, consumeFlow, exchangeCode } = parts;
  const { pendingConsents, saveTokens, discardTokens, refuseConsent } = parts;

  async function store(
    authorized: AuthorizedTokens,
    { successUrl, applicationState }: AuthorizationFlowRow,
  ): Promise<ConsentOutcome> {
    const application = await findApplication(storage, authorized.applicationId);
    const verifyUrl = verifyUrlOf(application);
    if (verifyUrl !== undefined) {
      const authRequestId = await pendingConsents.store(authorized, { successUrl, applicationState });
      return { redirectTo: verifyRedirect(verifyUrl, authRequestId, applicationState) };
    }
    const account = await saveTokens(authorized);
    const registered = stillRegistered(application, successUrl);
    return registered === null
      ? { parties: await parties.ofAccount(account) }
      : { redirectTo: successRedirect(registered, applicationState) };
  }

  async function finish(
    flow: AuthorizationFlowRow,
    { authorized, use }: ExchangedCode,
  ): Promise<ConsentOutcome> {
    return store(authorized, flow).catch(async (error: unknown) => {
      await discardTokens(authorized, use);
      throw error;
    });
  }

  async function fail(flow: AuthorizationFlowRow, error: unknown): Promise<ConsentOutcome> {
    await refuseConsent({ flow, reason: auditedReason(error) });
    if (!(error instanceof ServiceError)) throw error;
    const application = await storage.applications.find(flow.applicationId);
    const failureUrl = stillRegistered(application, flow.failureUrl);
    if (failureUrl !== null)
      return { redirectTo: failureRedirect(failureUrl, failureCode(error), flow.applicationState) };
    throw toConsentError(error, await parties.ofId(flow));
  }

  /**
   * Exchanges the authorization code of a callback. Stores the tokens in the account, or separately until the
   * application has verified the user.
   */
  async function completeConsent(callback: Callback): Promise<ConsentOutcome> {
    const flow = await consumeFlow(callback);
    try {
      return await finish(flow, await exchangeCode(flow, callback.parameters));
    } catch (error) {
      return fail(flow, error);
    }
  }
  return completeConsent;
}

export type CompleteConsent = ReturnType<typeof createCompleteConsent>;
