import { type Connectors, findConnector } from '../connections/connector.js';
import { ServiceError } from '../errors.js';
import type { Account } from '../storage/accounts-table.js';
import type { AuthorizationFlowRow } from '../storage/authorization-rows.js';
import type { Storage } from '../storage/storage.js';

/** Application, connector and user of an account, as pages show them. */
export interface AccountParties {
  readonly applicationName: string;
  /** A data URL of an image. */
  readonly applicationLogo: string | null;
  readonly connectorTitle: string;
  /** An SVG document. */
  readonly connectorLogo: string | undefined;
  readonly identifier: string;
}

/** An error of a consent whose parties are known, so that the error page can name them. */
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
      identifier: account.identifier,
    };
  }

  /** Finds the parties of an account by its id. Returns `undefined` if the account was deleted. */
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
