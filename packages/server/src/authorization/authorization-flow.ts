import { ServiceError } from '../errors.js';
import type { AuthorizationFlowRow } from '../storage/authorization-rows.js';
import type { Storage } from '../storage/storage.js';
import type { Digest } from '../vault/pepper.js';
import type { SecretLocation } from '../vault/vault.js';
import { type PartiesLookup, toConsentError } from './account-parties.js';
import type { AdministratorConsent } from './administrator-consent.js';
import { START_AGAIN } from './consent-errors.js';
import type { RefuseConsent } from './refuse-consent.js';

/** Time that a user has on the upstream's consent pages before the flow expires: 10 minutes. */
export const FLOW_LIFE_MS = 10 * 60_000;

/** Time that an application has to verify the user after a consent: 10 minutes. */
export const VERIFY_LIFE_MS = 10 * 60_000;

export const codeVerifierLocation = ({
  applicationId,
  id,
}: Pick<AuthorizationFlowRow, 'applicationId' | 'id'>): SecretLocation => ({
  applicationId,
  table: 'authorization_flows',
  rowId: id,
  column: 'code_verifier',
});

/** Computes the digests of the OAuth `state` and of the browser cookie. The database stores only these digests. */
export const flowDigests = (digest: Digest, state: string, { browser }: { readonly browser: string }) => ({
  stateDigest: digest('state', state),
  browserDigest: digest('browser', browser),
});

export interface Callback {
  /** Id of the connection, which the path of the OAuth callback URL contains. */
  readonly connectionId: string;
  readonly parameters: URLSearchParams;
  /**
   * Value of the cookie that the browser got when it opened the authorization link; `undefined` if the callback has no
   * such cookie.
   */
  readonly browser: string | undefined;
}

const PROBLEMS = {
  approval_over: 'does not exist or was deleted',
  expired: 'took longer than 10 minutes',
  other_browser: 'was started in another browser',
  other_connection: 'belongs to another connection',
  used_before: 'was already completed',
} as const;

type Problem = keyof typeof PROBLEMS;

export const consentIsOver = (reason: Problem = 'approval_over') =>
  new ServiceError('forbidden', `This consent ${PROBLEMS[reason]}. ${START_AGAIN}`, { reason });

const administratorReturned = () =>
  new ServiceError(
    'forbidden',
    `An administrator's consent for an organization does not connect an account by itself. ${START_AGAIN}`,
    { reason: 'administrator_returned' },
  );

type Digests = ReturnType<typeof flowDigests>;

function reasonOf(
  flow: AuthorizationFlowRow,
  { browserDigest }: Digests,
  { connectionId }: Callback,
): Problem {
  if (flow.browserDigest !== browserDigest) return 'other_browser';
  if (flow.connectionId !== connectionId) return 'other_connection';
  return flow.consumedAt === null ? 'expired' : 'used_before';
}

export interface ConsumedFlow {
  readonly flow: AuthorizationFlowRow;
  /**
   * True if the service must not request tokens for this callback, because it was used before or its link has ended.
   */
  readonly isOver: boolean;
}

export interface ConsumeFlowParts {
  readonly storage: Pick<Storage, 'authorizationLinks' | 'authorizationFlows'>;
  readonly parties: PartiesLookup;
  readonly administratorConsent: Pick<AdministratorConsent, 'isReturn'>;
  readonly refuseConsent: RefuseConsent;
  readonly digest: Digest;
  readonly now: () => number;
}

export function createConsumeFlow(parts: ConsumeFlowParts) {
  const { storage, parties, administratorConsent, refuseConsent, digest, now } = parts;
  const { authorizationLinks, authorizationFlows } = storage;

  /** True if another flow of the same link has ended the link, for example in another tab of the browser. */
  async function hasEnded({ linkId }: AuthorizationFlowRow): Promise<boolean> {
    const link = await authorizationLinks.findById(linkId);
    return link === undefined || link.outcome !== null;
  }

  /**
   * Finds the flow of an OAuth callback and marks it as consumed in a single statement, so that a wrong callback causes
   * no token request. Throws forbidden if the state, the browser or the connection does not match. `isOver` is true if
   * the browser repeats a consumed callback, or if the link has ended.
   */
  async function consumeFlow(callback: Callback): Promise<ConsumedFlow> {
    const { connectionId, parameters, browser } = callback;
    const state = parameters.get('state');
    if (state === null)
      throw administratorConsent.isReturn(parameters) ? administratorReturned() : consentIsOver();
    // A missing cookie becomes the digest of an empty text. No flow has that digest, so the callback is refused.
    const digests = flowDigests(digest, state, { browser: browser ?? '' });
    const consumed = await authorizationFlows.consume({ ...digests, connectionId, now: now() });
    if (consumed) return { flow: consumed, isOver: await hasEnded(consumed) };
    const flow = await authorizationFlows.find(digests.stateDigest);
    if (!flow) throw consentIsOver();
    const reason = reasonOf(flow, digests, callback);
    await refuseConsent({ flow, reason });
    // Only the browser that began the consent flow gets an error with the names of user and application. Any other
    // browser must not learn them.
    const isSameBrowser = flow.browserDigest === digests.browserDigest;
    if (reason === 'used_before') return { flow, isOver: true };
    throw toConsentError(consentIsOver(reason), isSameBrowser ? await parties.ofFlow(flow) : undefined);
  }
  return consumeFlow;
}

export type ConsumeFlow = ReturnType<typeof createConsumeFlow>;
