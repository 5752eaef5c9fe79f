import { ServiceError } from '../errors.js';
import type { AccountStatusReason } from '../names/status-reasons.js';
import type { Account as StoredAccount } from '../storage/accounts-table.js';
import type { AccountStatus } from '../storage/schema.js';
import { isoTime } from '../text/iso-time.js';
import { type ConnectedAs, connectedAsIn } from './connected-as.js';
import { readScopes } from './connection-oauth.js';
import { credentialNames } from './secondary-credentials.js';

/** A connected account as its application sees it. */
export interface Account {
  readonly id: string;
  readonly connectionName: string;
  readonly connector: string;
  readonly identifier: string;
  readonly status: AccountStatus;
  readonly statusReason?: AccountStatusReason;
  readonly scopes: readonly string[];
  /** The upstream's names for the user, where it told them. */
  readonly connectedAs?: ConnectedAs;
  /** Names of the stored secondary credentials. */
  readonly credentials: readonly string[];
  readonly createdAt: string;
  readonly updatedAt: string;
  /** End of the last call with this account, accurate to five minutes. */
  readonly usedAt?: string;
  /** Time of the last token response. */
  readonly refreshedAt?: string;
  /** Expiry of the access token. */
  readonly expiresAt?: string;
}

export function toAccount(row: StoredAccount): Account {
  const { id, connectionName, connector, identifier, status, statusReason } = row;
  const connectedAs = connectedAsIn(row.connectedAs);
  return {
    id,
    connectionName,
    connector,
    identifier,
    status,
    ...(statusReason !== null && { statusReason }),
    scopes: readScopes(row.scopes),
    ...(connectedAs && { connectedAs }),
    credentials: credentialNames(row),
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
    ...(row.usedAt !== null && { usedAt: isoTime(row.usedAt) }),
    ...(row.issuedAt !== null && { refreshedAt: isoTime(row.issuedAt) }),
    ...(row.expiresAt !== null && { expiresAt: isoTime(row.expiresAt) }),
  };
}

const LONGEST_BYTES = 256;

/** Checks the application's own name for its user: 1 to 256 bytes without control characters. */
export function checkIdentifier(identifier: string): string {
  const length = Buffer.byteLength(identifier);
  const isRight =
    length > 0 && length <= LONGEST_BYTES && identifier.isWellFormed() && !/\p{Cc}/u.test(identifier);
  if (isRight) return identifier;
  throw new ServiceError(
    'invalid_request',
    `An identifier has 1 to ${LONGEST_BYTES} bytes and no control characters; this one has ${length} bytes.`,
  );
}
