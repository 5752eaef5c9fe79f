import { describeConnectedAs } from '../connections/connected-as.js';
import { ServiceError } from '../errors.js';
import type { AuthorizationLinkRow } from '../storage/authorization-rows.js';
import type { Storage } from '../storage/storage.js';
import type { Digest } from '../vault/pepper.js';
import { type AccountParties, ConsentError, type PartiesLookup } from './account-parties.js';
import type { AdministratorConsent } from './administrator-consent.js';
import { FLOW_LIFE_MS, START_AGAIN } from './authorization-flow.js';

/** Outcomes of an authorization link that are no failures. Every other outcome is the reason code of a failure. */
export const CONNECTED = 'connected';
export const VERIFYING = 'verifying';

/** Outcome of a link whose application did not confirm the user in time. */
export const NOT_VERIFIED = 'not_verified';

/** Result of a used authorization link, for the browser that used it. */
export interface LinkResult {
  /**
   * `connected`: the account was connected at `endedAt`. `ended`: it was connected, and its access has ended since.
   * `verifying`: the application has to confirm the user. `open`: the consent is not finished.
   */
  readonly state: 'connected' | 'ended' | 'verifying' | 'open';
  /** Time of the end in milliseconds since 1970; for `open`, the time when the link was used. */
  readonly at: number;
  readonly parties: AccountParties;
}

export interface LinkResultsParts {
  readonly storage: Pick<Storage, 'accounts' | 'authorizationFlows' | 'pendingApprovals'>;
  readonly parties: PartiesLookup;
  readonly administratorConsent: Pick<AdministratorConsent, 'withAddress'>;
  readonly digest: Digest;
  readonly environmentUrl: string;
  readonly now: () => number;
}

const notUsable = (problem: string, reason: string) =>
  new ServiceError('not_found', `This link ${problem}. Go back to the application and get a new link.`, {
    reason,
  });

export const linkIsUnknown = () => notUsable('is unknown', 'link_unknown');
export const linkIsUsed = () => notUsable('was already used', 'link_used_before');
export const linkIsExpired = () => notUsable('has expired', 'link_expired');

const failed = (reason: string) =>
  new ServiceError('forbidden', `The consent ended with the reason ${reason}. ${START_AGAIN}`, { reason });

/** True while the browser that used the link can still open its page again: 10 minutes, until the consent has ended. */
export const isOpen = ({ usedAt, outcome }: AuthorizationLinkRow, now: number): boolean =>
  outcome === null && usedAt !== null && usedAt + FLOW_LIFE_MS > now;

/**
 * Creates the lookup for the page that says how an authorization link ended. The address of the page contains the id of
 * the link, which is no secret. The page therefore tells only the browser that used the link.
 */
export function createLinkResults(parts: LinkResultsParts) {
  const { storage, parties, administratorConsent, digest, environmentUrl, now } = parts;
  const browserDigest = (browser: string | undefined) => digest('browser', browser ?? '');

  const isUsedBy = (link: AuthorizationLinkRow, browser: string | undefined): boolean =>
    link.browserDigest !== null && link.browserDigest === browserDigest(browser);

  /** Finds the upstream user of a consent that the application has not yet verified. */
  async function pendingConnectedAs(link: AuthorizationLinkRow): Promise<string | null> {
    const pending = await storage.pendingApprovals.ofAccount(link.applicationId, link.accountId);
    return pending.find(({ linkId }) => linkId === link.id)?.connectedAs ?? null;
  }

  const resultUrl = (linkId: string): string => `${environmentUrl}/connect/result/${linkId}`;

  /**
   * Describes how the link ended. Throws the reason of a failed consent, and not_found for an unknown link or a link
   * that another browser used.
   */
  async function describeResult(linkId: string, browser: string | undefined): Promise<LinkResult> {
    const link = await storage.authorizationFlows.findLinkById(linkId);
    if (!link || link.usedAt === null) throw linkIsUnknown();
    if (!isUsedBy(link, browser)) throw linkIsUsed();
    const account = await storage.accounts.find(link.applicationId, link.accountId);
    if (!account) throw linkIsUnknown();
    const involved = await parties.ofLink(link, account);
    const { outcome, endedAt, usedAt } = link;
    if (outcome === CONNECTED) {
      const state = account.status === 'authorized' ? CONNECTED : 'ended';
      return { state, at: endedAt ?? usedAt, parties: involved };
    }
    if (outcome === VERIFYING) {
      const connectedAs = describeConnectedAs(await pendingConnectedAs(link));
      return { state: VERIFYING, at: endedAt ?? usedAt, parties: { ...involved, connectedAs } };
    }
    if (isOpen(link, now())) return { state: 'open', at: usedAt, parties: involved };
    const { applicationId, connectionId } = account;
    const error = failed(outcome ?? 'expired');
    throw new ConsentError(
      await administratorConsent.withAddress(error, { applicationId, connectionId }),
      involved,
    );
  }

  return { browserDigest, isUsedBy, resultUrl, describeResult };
}

export type LinkResults = ReturnType<typeof createLinkResults>;
