import type { AccountStatusReason } from '../names/status-reasons.js';
import { etagOf } from '../records/etag.js';
import type { StoredAccount } from '../storage/accounts-table.js';
import type { AccountStatus } from '../storage/schema.js';
import { type ConnectedAs, connectedAsIn } from '../text/connected-as.js';
import { isoTime } from '../text/iso-time.js';
import { type AccountDetails, detailsIn } from './account-details.js';
import { readScopes } from './connection-oauth.js';
import { credentialNames } from './secondary-credentials.js';

/** Failure of an account's token refreshes. The account is still authorized, so the service keeps trying. */
export interface RefreshFailure {
  /** Time of the first failed refresh since the last success, in ISO 8601. */
  readonly since: string;
  readonly lastTriedAt: string;
  /** Sentence that says why the token refresh fails. */
  readonly reason: string;
}

const REFRESH_FAILURES: Readonly<Record<string, string>> = {
  unavailable: 'The authorization server does not respond.',
  unusable: 'The response of the authorization server violates the OAuth protocol.',
  refused: 'The authorization server refuses the token refresh without a known error code.',
};

/**
 * Returns a sentence that says why a token refresh failed. `failure`: OAuth error code, or a key of `REFRESH_FAILURES`.
 */
export const explainRefreshFailure = (failure: string): string =>
  REFRESH_FAILURES[failure] ??
  `The authorization server refuses the token refresh with the error ${failure}.`;

function refreshFailureOf({
  refreshFailingSince: since,
  refreshFailedAt: at,
  refreshFailure: failure,
}: StoredAccount): RefreshFailure | undefined {
  if (since === null || at === null || failure === null) return undefined;
  return { since: isoTime(since), lastTriedAt: isoTime(at), reason: explainRefreshFailure(failure) };
}

/** Connected account as the API returns it to its application. */
export interface Account {
  readonly id: string;
  readonly connectionName: string;
  readonly connector: string;
  readonly identifier: string;
  /** Label that tells several accounts of one user on one connection apart. Absent without a label. */
  readonly account?: string;
  readonly status: AccountStatus;
  readonly statusReason?: AccountStatusReason;
  readonly scopes: readonly string[];
  /** Name, workspace and picture of the user at the upstream. Absent if the upstream did not send them. */
  readonly connectedAs?: ConnectedAs;
  /** Names of the account's stored secondary credentials. */
  readonly credentials: readonly string[];
  /** The application's own data about the account. */
  readonly metadata: AccountDetails['metadata'];
  readonly tags: AccountDetails['tags'];
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Time at which the last call with this account ended, in ISO 8601. Accurate to five minutes. */
  readonly usedAt?: string;
  /** Time of the last token response of the authorization server, in ISO 8601. */
  readonly refreshedAt?: string;
  /** Failure of the token refreshes since the last token response. Absent if the last refresh succeeded. */
  readonly refreshFailure?: RefreshFailure;
  /** True if the account is authorized, but neither a test nor a call has shown that its key or token is right. */
  readonly notTested?: true;
  /** Expiry of the access token, in ISO 8601. Absent if the authorization server reported no expiry. */
  readonly expiresAt?: string;
  /** ETag of the account's metadata and tags. */
  readonly etag: string;
}

export function toAccount(row: StoredAccount): Account {
  const { id, connectionName, connector, identifier, status, statusReason } = row;
  const connectedAs = connectedAsIn(row.connectedAs);
  const refreshFailure = refreshFailureOf(row);
  return {
    id,
    connectionName,
    connector,
    identifier,
    ...(row.account !== '' && { account: row.account }),
    status,
    ...(statusReason !== null && { statusReason }),
    scopes: readScopes(row.scopes),
    ...(connectedAs && { connectedAs }),
    credentials: credentialNames(row),
    ...detailsIn(row),
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
    ...(row.usedAt !== null && { usedAt: isoTime(row.usedAt) }),
    ...(row.issuedAt !== null && { refreshedAt: isoTime(row.issuedAt) }),
    ...(refreshFailure && { refreshFailure }),
    ...(row.untestedSince !== null && status === 'authorized' && { notTested: true as const }),
    ...(row.expiresAt !== null && { expiresAt: isoTime(row.expiresAt) }),
    etag: etagOf(id, row.metadata, row.tags),
  };
}
