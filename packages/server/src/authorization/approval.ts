import { type Connectors, findConnector } from '../connections/connector.js';
import { ServiceError } from '../errors.js';
import type { Account } from '../storage/accounts-table.js';
import type { AuthorizationFlowRow } from '../storage/authorization-rows.js';
import type { Storage } from '../storage/storage.js';

/** Who is asked to let whom do what: what the pages say. */
export interface Approval {
  readonly applicationName: string;
  /** A data URL of an image. */
  readonly applicationLogo: string | null;
  readonly connectorTitle: string;
  /** An SVG document. */
  readonly connectorLogo: string | undefined;
  readonly identifier: string;
}

export interface ApprovalParts {
  readonly storage: Pick<Storage, 'applications'>;
  readonly connectors: Connectors;
}

/** An error of which is known what the user was asked, so that the page about it can name it. */
export class RefusedApproval extends ServiceError {
  readonly approval: Approval;

  constructor({ code, message, details, cause }: ServiceError, approval: Approval) {
    super(code, message, details, { cause });
    this.approval = approval;
  }
}

/** What is thrown for an error of `approval`. */
export const refusedBy = (error: unknown, approval: Approval | undefined): unknown =>
  error instanceof ServiceError && approval ? new RefusedApproval(error, approval) : error;

export async function approvalOf(
  { storage, connectors }: ApprovalParts,
  account: Account,
): Promise<Approval> {
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

/** What a flow was begun for, unless its account is gone. */
export async function approvalOfFlow(
  parts: ApprovalParts & { readonly storage: Pick<Storage, 'accounts'> },
  { applicationId, accountId }: Pick<AuthorizationFlowRow, 'applicationId' | 'accountId'>,
): Promise<Approval | undefined> {
  const account = await parts.storage.accounts.find(applicationId, accountId);
  return account && approvalOf(parts, account);
}
