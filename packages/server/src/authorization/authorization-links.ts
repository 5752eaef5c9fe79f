import { checkRedirectUrl, verifyUrlOf } from '../applications/redirect-urls.js';
import type { Accounts } from '../connections/accounts.js';
import type { ConnectionOAuth, DescribeOAuth } from '../connections/connection-oauth.js';
import { type Connectors, findConnector, keyField } from '../connections/connector.js';
import { type AccountName, findApplication, findConnection } from '../connections/find-account.js';
import { ServiceError } from '../errors.js';
import type { StoredAccount } from '../storage/accounts-table.js';
import type { AuthorizationLinkRow } from '../storage/authorization-rows.js';
import type { ConnectionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import { isoTime } from '../text/iso-time.js';
import { newId, newToken, type Random } from '../text/random.js';
import type { Digest } from '../vault/pepper.js';
import { type PartiesLookup, toConsentError } from './account-parties.js';
import { FLOW_LIFE_MS } from './authorization-flow.js';
import { isOpen, type LinkResults, linkIsExpired, linkIsUnknown, linkIsUsed } from './link-results.js';
import { type ConsentRequest, keyFormOf, permissionsOf } from './permissions.js';
import type { RefuseConsent } from './refuse-consent.js';

export interface AuthorizationLinksParts {
  readonly storage: Pick<
    Storage,
    'applications' | 'applicationOrigins' | 'connections' | 'accounts' | 'authorizationLinks'
  >;
  readonly connectors: Connectors;
  readonly describeOAuth: DescribeOAuth;
  readonly accounts: Pick<Accounts, 'getOrCreate'>;
  readonly parties: PartiesLookup;
  readonly refuseConsent: RefuseConsent;
  readonly results: Pick<LinkResults, 'isUsedBy' | 'browserDigest'>;
  readonly digest: Digest;
  readonly environmentUrl: string;
  readonly now: () => number;
  readonly random: Random;
}

export interface AuthorizationLink {
  readonly link: string;
  readonly expiresAt: string;
}

export interface LinkOptions {
  /** Allows the consent to replace the upstream user of a connected account by another upstream user. */
  readonly replace?: boolean;
  /**
   * Registered URL of the application for the redirect after the consent. Without a URL, the service shows its own
   * page.
   */
  readonly successUrl?: string;
  readonly failureUrl?: string;
  /** Text of the application that comes back in the query of its redirect URLs and with the verification. */
  readonly state?: string;
  /** OAuth scopes to request instead of all scopes of the connection. The connection must have each of them. */
  readonly requestedScopes?: readonly string[];
  /** Languages for the pages in the order of preference, separated by spaces. Default: the languages of the browser. */
  readonly uiLocales?: string;
  /** Registered origin of the page that opens the link in a pop-up. The final page reports the outcome to it. */
  readonly openerOrigin?: string;
}

/**
 * Authorization link that the browser can use, with its account, its connection and the content of the connect page.
 */
export interface OpenLink {
  readonly link: AuthorizationLinkRow;
  readonly account: StoredAccount;
  readonly connection: ConnectionRow;
  readonly request: ConsentRequest;
}

const LIFE_MS = 30 * 60_000;

/**
 * Authorization link that this browser has used and whose consent has ended. Its result page says how the consent
 * ended.
 */
export interface EndedLink {
  readonly endedLinkId: string;
}

function checkScopes({ scopes: allowed }: ConnectionOAuth, requested: readonly string[] = []): void {
  const unknown = requested.filter((scope) => !allowed.includes(scope));
  if (unknown.length === 0) return;
  const choice =
    allowed.length === 0
      ? 'omit `requestedScopes`, because the connection has no scopes'
      : `request only some of these: ${allowed.join(' ')}`;
  throw new ServiceError(
    'invalid_request',
    `The connection does not request these scopes: ${unknown.join(' ')}. Add them to the connection's scopes, or ${choice}.`,
  );
}

export function createAuthorizationLinks(parts: AuthorizationLinksParts) {
  const { storage, connectors, describeOAuth, accounts, parties, refuseConsent, results } = parts;
  const { digest, environmentUrl, now, random } = parts;
  const digestOf = (token: string) => digest('authorization link', token);

  async function checkOpener(applicationId: string, origin: string | undefined): Promise<void> {
    if (origin === undefined || (await storage.applicationOrigins.has(applicationId, origin))) return;
    throw new ServiceError(
      'invalid_request',
      '"openerOrigin" is not one of the application\'s origins. Ask an operator to register the origin, and send it exactly as registered.',
    );
  }

  async function checkApplication(
    applicationId: string,
    { successUrl, failureUrl, openerOrigin }: LinkOptions,
  ) {
    const application = await findApplication(storage, applicationId);
    verifyUrlOf(application);
    checkRedirectUrl(application, 'successUrl', successUrl);
    checkRedirectUrl(application, 'failureUrl', failureUrl);
    await checkOpener(applicationId, openerOrigin);
  }

  /**
   * Checks that users can consent to the connection with the requested scopes. A connector with keys has no scopes, and
   * no settings to check.
   */
  async function checkConsent(connection: ConnectionRow, requested: readonly string[] | undefined) {
    const { auth } = findConnector(connectors, connection.connector);
    if (keyField(auth.type) === undefined) return checkScopes(await describeOAuth(connection), requested);
    if (requested !== undefined)
      throw new ServiceError(
        'invalid_request',
        'The connector uses keys, which have no scopes. Omit `requestedScopes`.',
      );
  }

  async function checkUsable(link: AuthorizationLinkRow): Promise<void> {
    if (link.usedAt === null && link.expiresAt <= now()) throw linkIsExpired();
    verifyUrlOf(await findApplication(storage, link.applicationId));
  }

  /**
   * Throws if another browser has used the link. The error names no user and no application, because anyone may see it.
   */
  async function checkBrowser(link: AuthorizationLinkRow, browser: string | undefined): Promise<void> {
    if (link.usedAt === null || results.isUsedBy(link, browser)) return;
    await refuseConsent({ link, reason: 'link_used_before' });
    throw linkIsUsed();
  }

  /** Creates an authorization link for a user. Creates the user's connected account too, if it does not exist yet. */
  async function create(
    applicationId: string,
    name: AccountName,
    options: LinkOptions = {},
  ): Promise<AuthorizationLink> {
    await checkApplication(applicationId, options);
    const { replace = false, successUrl = null, failureUrl = null, state = null, requestedScopes } = options;
    const { uiLocales = null, openerOrigin = null } = options;
    const connection = await findConnection(storage, applicationId, name.connectionName);
    await checkConsent(connection, requestedScopes);
    const { account } = await accounts.getOrCreate(applicationId, name);
    const token = newToken(random);
    const expiresAt = now() + LIFE_MS;
    await storage.authorizationLinks.insert({
      id: newId('link', random),
      applicationId,
      accountId: account.id,
      tokenDigest: digestOf(token),
      replaceSubject: replace ? 1 : 0,
      successUrl,
      failureUrl,
      applicationState: state,
      requestedScopes: requestedScopes === undefined ? null : JSON.stringify(requestedScopes),
      uiLocales,
      openerOrigin,
      expiresAt,
      usedAt: null,
      browserDigest: null,
      outcome: null,
      endedAt: null,
      refusedAt: null,
    });
    return { link: `${environmentUrl}/connect/${token}`, expiresAt: isoTime(expiresAt) };
  }

  /**
   * Finds an authorization link by its token, without marking the link as used. The browser that used the link finds it
   * again for ten minutes, so that its user can go back. Throws not_found if the link is unknown, expired or used by
   * another browser.
   */
  async function find(token: string, browser: string | undefined): Promise<OpenLink | EndedLink> {
    const link = await storage.authorizationLinks.find(digestOf(token));
    if (!link) throw linkIsUnknown();
    await checkBrowser(link, browser);
    if (link.usedAt !== null && !isOpen(link, now())) return { endedLinkId: link.id };
    const account = await storage.accounts.find(link.applicationId, link.accountId);
    const connection = account && (await storage.connections.find(link.applicationId, account.connectionId));
    if (!account || !connection) throw linkIsUnknown();
    const involved = await parties.ofLink(link, account);
    await checkUsable(link).catch((error: unknown) => {
      throw toConsentError(error, involved);
    });
    const connector = findConnector(connectors, account.connector);
    const permissions = permissionsOf(connector, connection, { account, link });
    const mayReplace = link.replaceSubject === 1;
    const refusesInAppBrowsers =
      connector.auth.type === 'oauth2' && connector.auth.refusesInAppBrowsers === true;
    const request = {
      ...involved,
      permissions,
      mayReplace,
      isBegun: link.usedAt !== null,
      refusesInAppBrowsers,
      keyForm: keyFormOf(connector),
    };
    return { link, account, connection, request };
  }

  /** Marks the one-time authorization link as used by a browser. Throws not_found if another browser used it first. */
  async function use(token: string, browser: string): Promise<void> {
    const used = await storage.authorizationLinks.use({
      tokenDigest: digestOf(token),
      browserDigest: results.browserDigest(browser),
      now: now(),
      openSince: now() - FLOW_LIFE_MS,
    });
    if (!used) throw linkIsUsed();
  }

  return { create, find, use };
}

export type AuthorizationLinks = ReturnType<typeof createAuthorizationLinks>;
