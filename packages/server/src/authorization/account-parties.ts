import { type Connectors, findConnector } from '../connections/connector.js';
import { ServiceError } from '../errors.js';
import type { StoredAccount } from '../storage/accounts-table.js';
import type { AuthorizationFlowRow, AuthorizationLinkRow } from '../storage/authorization-rows.js';
import type { Storage } from '../storage/storage.js';
import { describeConnectedAs } from '../text/connected-as.js';

/** Languages and pop-up settings that an authorization link sets for its pages. */
export interface LinkDisplay {
  /** Languages in the order of preference, separated by spaces; `null` for the languages of the browser. */
  readonly uiLocales: string | null;
  /**
   * Origin of the page that opened the link in a pop-up, to which the final page reports the outcome. `null` without a
   * pop-up.
   */
  readonly openerOrigin: string | null;
}

/** Names and logos of the application, the connector and the user of an account, for display on pages. */
export interface AccountParties {
  readonly applicationName: string;
  /** Logo of the application as a data URL; `null` without a logo. */
  readonly applicationLogo: string | null;
  readonly connectorTitle: string;
  /** Color of the application, such as `#0f6b5c`; `null` without a color. */
  readonly applicationColor: string | null;
  /** Logo of the connector as SVG text; `undefined` without a logo. */
  readonly connectorLogo: string | undefined;
  /** Identifier of the user, followed by the label of the account in parentheses if it has one. */
  readonly identifier: string;
  /** User at the upstream, such as `ada@example.com (Acme)`; `undefined` if the upstream did not name the user. */
  readonly connectedAs?: string | undefined;
  /** Settings of the authorization link for its pages. Absent on pages without a link. */
  readonly display?: LinkDisplay;
}

/**
 * Error of a consent flow that also carries the application, connector and user, so that the error page can name them.
 */
export class ConsentError extends ServiceError {
  readonly parties: AccountParties;

  constructor({ code, message, details, cause }: ServiceError, parties: AccountParties) {
    super(code, message, details, { cause });
    this.parties = parties;
  }
}

export const toConsentError = (error: unknown, parties: AccountParties | undefined): unknown =>
  error instanceof ServiceError && parties ? new ConsentError(error, parties) : error;

export function createPartiesLookup({
  storage,
  connectors,
}: {
  readonly storage: Pick<Storage, 'applications' | 'applicationOrigins' | 'accounts' | 'authorizationLinks'>;
  readonly connectors: Connectors;
}) {
  async function ofAccount(account: StoredAccount): Promise<AccountParties> {
    const application = await storage.applications.find(account.applicationId);
    const { title, logo } = findConnector(connectors, account.connector);
    return {
      applicationName: application?.name ?? '',
      applicationLogo: application?.logo ?? null,
      applicationColor: application?.color ?? null,
      connectorTitle: title,
      connectorLogo: logo,
      identifier: account.account === '' ? account.identifier : `${account.identifier} (${account.account})`,
      connectedAs: describeConnectedAs(account.connectedAs),
    };
  }

  /**
   * Looks up application, connector and user of a connected account, for display. Returns `undefined` if the account
   * was deleted.
   */
  async function ofId({
    applicationId,
    accountId,
  }: Pick<AuthorizationFlowRow, 'applicationId' | 'accountId'>): Promise<AccountParties | undefined> {
    const account = await storage.accounts.find(applicationId, accountId);
    return account && ofAccount(account);
  }

  /**
   * Returns the names and logos for the pages of an authorization link, with the settings of the link for its pages.
   */
  async function ofLink(
    { applicationId, uiLocales, openerOrigin }: AuthorizationLinkRow,
    account: StoredAccount,
  ): Promise<AccountParties> {
    // Leaves the origin out if the application has unregistered it since, so that the final page does not report to it.
    const isRegistered =
      openerOrigin !== null && (await storage.applicationOrigins.has(applicationId, openerOrigin));
    const display = { uiLocales, openerOrigin: isRegistered ? openerOrigin : null };
    return { ...(await ofAccount(account)), display };
  }

  /** Looks up the names and logos for the pages of an OAuth flow. Returns `undefined` if the account was deleted. */
  async function ofFlow(flow: AuthorizationFlowRow): Promise<AccountParties | undefined> {
    const account = await storage.accounts.find(flow.applicationId, flow.accountId);
    const link = await storage.authorizationLinks.findById(flow.linkId);
    if (account && link) return ofLink(link, account);
    return account && ofAccount(account);
  }

  return { ofAccount, ofId, ofLink, ofFlow };
}

export type PartiesLookup = ReturnType<typeof createPartiesLookup>;
