import type { Connectors } from '../connections/connector.js';
import { ServiceError } from '../errors.js';
import type { StoredAccount } from '../storage/accounts-table.js';
import type { AuthorizationLinkRow } from '../storage/authorization-rows.js';
import type { Storage } from '../storage/storage.js';
import { describeConnectedAs } from '../text/connected-as.js';
import type { Digest } from '../vault/pepper.js';
import { type AccountParties, ConsentError, type PartiesLookup } from './account-parties.js';
import type { AdministratorConsent } from './administrator-consent.js';
import { FLOW_LIFE_MS, VERIFY_LIFE_MS } from './authorization-flow.js';
import { START_AGAIN } from './consent-errors.js';
import { deniedPermissionsOf, type Permission } from './permissions.js';

/** Outcomes of an authorization link that are not failures. Every other outcome is the reason code of a failure. */
export const CONNECTED = 'connected';
export const VERIFYING = 'verifying';

/** Outcome of a link whose application did not confirm the user in time. */
export const NOT_VERIFIED = 'not_verified';

/** Outcome of an authorization link, shown to the browser that used the link. */
export interface LinkResult {
  /**
   * `connected`: the account is connected. `ended`: the account was connected, and has lost its access since.
   * `verifying`: the application has to confirm the user. `open`: the consent is not finished.
   */
  readonly state: 'connected' | 'ended' | 'verifying' | 'open';
  /** Time at which the link ended, in milliseconds since 1970. For `open`, the time at which the link was used. */
  readonly at: number;
  readonly parties: AccountParties;
  /** Permissions that the user left out at the consent. Empty unless the account is connected. */
  readonly denied: readonly Permission[];
}

export interface LinkResultsParts {
  readonly storage: Pick<Storage, 'accounts' | 'authorizationLinks' | 'connections' | 'pendingConsents'>;
  readonly connectors: Connectors;
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
  new ServiceError('forbidden', `The consent did not succeed. The reason is "${reason}". ${START_AGAIN}`, {
    reason,
  });

/**
 * True for 10 minutes after a browser has used the link, unless the consent has ended. That browser can open the
 * connect page again.
 */
export const isOpen = ({ usedAt, outcome }: AuthorizationLinkRow, now: number): boolean =>
  outcome === null && usedAt !== null && usedAt + FLOW_LIFE_MS > now;

/**
 * Creates the lookup for the page that says how an authorization link ended. The URL of the page contains the link's
 * id, which is no secret. Only the browser that used the link may therefore see the page.
 */
export function createLinkResults(parts: LinkResultsParts) {
  const { storage, connectors, parties, administratorConsent, digest, environmentUrl, now } = parts;
  const browserDigest = (browser: string | undefined) => digest('browser', browser ?? '');

  const isUsedBy = (link: AuthorizationLinkRow, browser: string | undefined): boolean =>
    link.browserDigest !== null && link.browserDigest === browserDigest(browser);

  /** Finds the upstream user of a consent that the application has not yet verified. */
  async function pendingConnectedAs(link: AuthorizationLinkRow): Promise<string | null> {
    const pending = await storage.pendingConsents.ofAccount(link.applicationId, link.accountId);
    return pending.find(({ linkId }) => linkId === link.id)?.connectedAs ?? null;
  }

  /** Lists the permissions that the user left out. Lists none if the connection was changed after the consent. */
  async function deniedAt(
    time: number,
    { link, account }: { readonly link: AuthorizationLinkRow; readonly account: StoredAccount },
  ): Promise<readonly Permission[]> {
    const connection = await storage.connections.find(account.applicationId, account.connectionId);
    const connector = connectors.get(account.connector);
    if (connector === undefined || connection === undefined || connection.updatedAt > time) return [];
    return deniedPermissionsOf(connector, connection, { link, account });
  }

  const resultUrl = (linkId: string): string => `${environmentUrl}/connect/result/${linkId}`;

  /**
   * Describes the outcome of an authorization link. Throws the failure of a failed consent. Throws not_found for an
   * unknown link, and for a link that another browser used.
   */
  async function describeResult(linkId: string, browser: string | undefined): Promise<LinkResult> {
    const link = await storage.authorizationLinks.findById(linkId);
    if (!link || link.usedAt === null) throw linkIsUnknown();
    if (!isUsedBy(link, browser)) throw linkIsUsed();
    const account = await storage.accounts.find(link.applicationId, link.accountId);
    if (!account) throw linkIsUnknown();
    const involved = await parties.ofLink(link, account);
    const { outcome, endedAt, usedAt } = link;
    if (outcome === CONNECTED) {
      const at = endedAt ?? usedAt;
      if (account.status !== 'authorized') return { state: 'ended', at, parties: involved, denied: [] };
      return { state: CONNECTED, at, parties: involved, denied: await deniedAt(at, { link, account }) };
    }
    // A background job deletes an expired consent up to a minute later. Nobody can verify it any more.
    const isLate = outcome === VERIFYING && (endedAt ?? usedAt) + VERIFY_LIFE_MS <= now();
    if (outcome === VERIFYING && !isLate) {
      const connectedAs = describeConnectedAs(await pendingConnectedAs(link));
      return { state: VERIFYING, at: endedAt ?? usedAt, parties: { ...involved, connectedAs }, denied: [] };
    }
    if (isOpen(link, now())) return { state: 'open', at: usedAt, parties: involved, denied: [] };
    const { applicationId, connectionId } = account;
    const error = failed(isLate ? NOT_VERIFIED : (outcome ?? 'expired'));
    throw new ConsentError(
      await administratorConsent.withAddress(error, { applicationId, connectionId }),
      involved,
    );
  }

  return { browserDigest, isUsedBy, resultUrl, describeResult };
}

export type LinkResults = ReturnType<typeof createLinkResults>;
