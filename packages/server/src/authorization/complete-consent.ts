import { failureRedirect, stillRegistered } from '../applications/redirect-urls.js';
import { ServiceError } from '../errors.js';
import type { AuthorizationFlowRow } from '../storage/authorization-rows.js';
import type { Storage } from '../storage/storage.js';
import { type PartiesLookup, toConsentError } from './account-parties.js';
import type { AdministratorConsent } from './administrator-consent.js';
import type { Callback, ConsumeFlow } from './authorization-flow.js';
import type { DiscardTokens } from './discard-tokens.js';
import type { ExchangeCode, ExchangedCode } from './exchange-code.js';
import type { LinkResults } from './link-results.js';
import { auditedReason, failureCode, type RefuseConsent, refusalReason } from './refuse-consent.js';
import type { Redirect, StoreConsent } from './store-consent.js';

export interface CompleteConsentParts {
  readonly storage: Pick<Storage, 'applications' | 'authorizationLinks'>;
  readonly parties: PartiesLookup;
  readonly administratorConsent: Pick<AdministratorConsent, 'withAddress'>;
  readonly consumeFlow: ConsumeFlow;
  readonly exchangeCode: ExchangeCode;
  readonly storeConsent: StoreConsent;
  readonly discardTokens: DiscardTokens;
  readonly refuseConsent: RefuseConsent;
  readonly results: Pick<LinkResults, 'resultUrl'>;
  readonly now: () => number;
}

export function createCompleteConsent(parts: CompleteConsentParts) {
  const { storage, parties, administratorConsent, consumeFlow, exchangeCode } = parts;
  const { storeConsent, discardTokens, refuseConsent, results, now } = parts;

  async function finish(flow: AuthorizationFlowRow, { authorized, use }: ExchangedCode): Promise<Redirect> {
    return storeConsent(authorized, flow).catch(async (error: unknown) => {
      await discardTokens(authorized, use);
      throw error;
    });
  }

  /**
   * Stores the error as the outcome of the authorization link. Returns true if another tab of the browser has already
   * ended the link. Returns false if the link was deleted, because it has no result page then.
   */
  async function wasEnded(
    { applicationId, linkId: id }: AuthorizationFlowRow,
    error: unknown,
  ): Promise<boolean> {
    const ending = { outcome: refusalReason(error), now: now() };
    if (await storage.authorizationLinks.end({ applicationId, id }, ending)) return false;
    return (await storage.authorizationLinks.findById(id)) !== undefined;
  }

  async function fail(flow: AuthorizationFlowRow, error: unknown): Promise<Redirect> {
    await refuseConsent({ flow, reason: auditedReason(error) });
    const isOver = await wasEnded(flow, error);
    if (!(error instanceof ServiceError)) throw error;
    if (isOver) return { redirectTo: results.resultUrl(flow.linkId) };
    const application = await storage.applications.find(flow.applicationId);
    const failureUrl = stillRegistered(application, flow.failureUrl);
    if (failureUrl !== null)
      return { redirectTo: failureRedirect(failureUrl, failureCode(error), flow.applicationState) };
    throw toConsentError(await administratorConsent.withAddress(error, flow), await parties.ofFlow(flow));
  }

  /**
   * Exchanges the authorization code of a callback. Stores the tokens in the account, or separately until the
   * application has verified the user. Returns the next URL of the browser, so that a reload repeats nothing.
   */
  async function completeConsent(callback: Callback): Promise<Redirect> {
    const { flow, isOver } = await consumeFlow(callback);
    if (isOver) return { redirectTo: results.resultUrl(flow.linkId) };
    try {
      return await finish(flow, await exchangeCode(flow, callback.parameters));
    } catch (error) {
      return fail(flow, error);
    }
  }
  return completeConsent;
}

export type CompleteConsent = ReturnType<typeof createCompleteConsent>;
