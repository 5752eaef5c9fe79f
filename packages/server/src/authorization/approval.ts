import { type Connectors, findConnector } from '../connections/connector.js';
import type { Account } from '../storage/accounts-table.js';
import type { Storage } from '../storage/storage.js';

/** Who is asked to let whom do what: what the pages say. */
export interface Approval {
  readonly applicationName: string;
  readonly connectorTitle: string;
  readonly identifier: string;
}

export interface ApprovalParts {
  readonly storage: Pick<Storage, 'applications'>;
  readonly connectors: Connectors;
}

export async function approvalOf(
  { storage, connectors }: ApprovalParts,
  account: Account,
): Promise<Approval> {
  const application = await storage.applications.find(account.applicationId);
  const { title } = findConnector(connectors, account.connector);
  return { applicationName: application?.name ?? '', connectorTitle: title, identifier: account.identifier };
}
