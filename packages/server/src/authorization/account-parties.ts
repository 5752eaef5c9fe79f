import { describeConnectedAs } from '../connections/connected-as.js';
import { type Connectors, findConnector } from '../connections/connector.js';
import { ServiceError } from '../errors.js';
import type { Account } from '../storage/accounts-table.js';
import type { AuthorizationFlowRow } from '../storage/authorization-rows.js';
import type { Storage } from '../storage/storage.js';

/** Names and logos of the application, the connector and the user of an account, for display on pages. */
export interface AccountParties {
  readonly applicationName: string;
  /** Logo of the application as a data URL; `null` without a logo. */
  readonly applicationLogo: string | null;
  readonly connectorTitle: string;
  /** Logo of the connector as SVG text; `undefined` without a logo. */
  readonly connectorLogo: string | undefined;
  /** Identifier of the user, followed by the label of the account in parentheses if it has one. */
  readonly identifier: string;
  /** User at the upstream, such as `ada@example.com (Acme)`; `undefined` if the upstream did not name the user. */
  readonly connectedAs?: string | undefined;
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
  readonly storage: Pick<Storage, 'applications' | 'accounts'>;
  readonly connectors: Connectors;
}) {
  async function ofAccount(account: Account): Promise<AccountParties> {
    const application = await storage.applications.find(account.applicationId);
    const { title, logo } = findConnector(connectors, account.connector);
    return {
      applicationName: application?.name ?? '',
      applicationLogo: application?.logo ?? null,
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

  return { ofAccount, ofId };
}

export type PartiesLookup = ReturnType<typeof createPartiesLookup>;
