import { type Page, type PageRequest, pageSizeOf, type RowCount, readPageToken, toPage } from '../page.js';
import type { AccountStatus } from '../storage/schema.js';
import type { AccountFilter as AccountConditions } from '../storage/select-accounts.js';
import type { Storage } from '../storage/storage.js';
import { type ConnectedAs, connectedAsIn } from '../text/connected-as.js';
import { type Account, toAccount } from './account.js';
import { labelTerm, metadataTerm, tagTerm } from './account-details.js';
import { findConnection } from './find-account.js';

/** Account of a user, with the fields that distinguish it from the user's other accounts. */
export interface UserAccount {
  readonly id: string;
  readonly connectionName: string;
  /** Label of the account; empty without a label. */
  readonly account: string;
  readonly connectedAs: ConnectedAs | undefined;
  readonly status: AccountStatus;
}

export interface AccountFilter extends PageRequest {
  readonly connectionName?: string | undefined;
  readonly status?: AccountStatus | undefined;
  /** If true, lists only accounts with `notTested`; if false, lists only accounts without it. */
  readonly notTested?: boolean | undefined;
  /** If true, lists only authorized accounts whose token refresh fails; if false, lists only other accounts. */
  readonly refreshFailing?: boolean | undefined;
  /** Prefix of the user identifiers to list. Default: all identifiers. */
  readonly identifier?: string | undefined;
  /** If true, lists only accounts with exactly the given identifier. */
  readonly exact?: boolean | undefined;
  /** Order of the identifiers. Default: `ascending`. */
  readonly order?: 'ascending' | 'descending' | undefined;
  /** Label that the listed accounts have. */
  readonly account?: string | undefined;
  /** Tag that the listed accounts have. */
  readonly tag?: string | undefined;
  /** Metadata entry that the listed accounts have, as `key:value`. */
  readonly metadata?: string | undefined;
}

/** Maximum number of accounts of one user that are listed for an agent. */
const MAX_LISTED_PER_USER = 1000;

interface AccountListParts {
  readonly storage: Pick<Storage, 'accounts' | 'connections'>;
}

/** Creates the lists of an application's connected accounts. */
export function createAccountList({ storage }: AccountListParts) {
  /** Converts the filter of a request to a query of the accounts table. */
  async function toQuery(
    applicationId: string,
    {
      connectionName,
      status,
      notTested,
      refreshFailing,
      identifier,
      exact,
      account,
      tag,
      metadata,
    }: Omit<AccountFilter, keyof PageRequest>,
  ): Promise<AccountConditions> {
    const connectionId =
      connectionName === undefined
        ? undefined
        : (await findConnection(storage, applicationId, connectionName)).id;
    return {
      connectionId,
      status,
      notTested,
      refreshFailing,
      ...(exact ? { identifier } : { prefix: identifier }),
      terms: [
        ...(account === undefined ? [] : [labelTerm(account)]),
        ...(tag === undefined ? [] : [tagTerm(tag)]),
        ...(metadata === undefined ? [] : [metadataTerm(metadata)]),
      ],
    };
  }

  /** Lists accounts of the application, sorted by user identifier. */
  async function list(
    applicationId: string,
    { order, pageSize, pageToken, ...filter }: AccountFilter,
  ): Promise<Page<Account>> {
    const page = { pageSize, pageToken };
    const query = await toQuery(applicationId, filter);
    const [identifier, id = ''] = readPageToken(page, 2) ?? [];
    const rows = await storage.accounts.list(applicationId, {
      ...query,
      isDescending: order === 'descending',
      after: identifier === undefined ? undefined : { identifier, id },
      limit: pageSizeOf(page) + 1,
    });
    return toPage(rows, page, { keys: (row) => [row.identifier, row.id], item: toAccount });
  }

  /** Counts the accounts that match a filter. */
  async function count(applicationId: string, filter: AccountFilter): Promise<RowCount> {
    return storage.accounts.countListed(applicationId, await toQuery(applicationId, filter));
  }

  /** Lists the accounts of one user, sorted by label. */
  async function listOfUser(applicationId: string, identifier: string): Promise<readonly UserAccount[]> {
    const rows = await storage.accounts.listOfUser(applicationId, identifier, MAX_LISTED_PER_USER);
    const byLabel = rows.toSorted((one, other) => (one.account < other.account ? -1 : 1));
    return byLabel.map(({ id, connectionName, account, connectedAs, status }) => ({
      id,
      connectionName,
      account,
      connectedAs: connectedAsIn(connectedAs),
      status,
    }));
  }

  return { list, count, listOfUser };
}

export type AccountList = ReturnType<typeof createAccountList>;
