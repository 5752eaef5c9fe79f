import { ServiceError } from '../errors.js';
import type { Commit } from '../records/commit.js';
import { type Secret, secret } from '../secret.js';
import type { StoredAccount } from '../storage/accounts-table.js';
import type { ConnectionRow } from '../storage/schema.js';
import type { Vault } from '../vault/vault.js';
import type { AccountCache } from './account-cache.js';
import { type Connector, type Connectors, findConnector, keyField } from './connector.js';
import { sealCredentials } from './secondary-credentials.js';
import { tokenLocation } from './token-columns.js';

/**
 * Secrets of an account whose connector uses keys instead of OAuth. A given secret replaces the stored one of the same
 * name.
 */
export interface AccountSecrets {
  readonly apiKey?: string;
  readonly bearerToken?: string;
  /**
   * Map from the name of a secondary credential, as the connector defines it, to the secret. A connector needs these
   * besides the main key.
   */
  readonly credentials?: Readonly<Record<string, string>>;
  /** True to try the secrets at the upstream before they are stored. Default: true. */
  readonly verify?: boolean;
}

/** Result of testing new secrets of an account at the upstream. */
export interface TriedSecrets {
  /** Name, workspace and picture of the user at the upstream, as JSON for the account's row. `null` if unknown. */
  readonly connectedAs: string | null;
  /** True if the upstream accepted every secret in a test. */
  readonly isVerified: boolean;
}

function keyOf({ title, auth }: Connector, { apiKey, bearerToken }: AccountSecrets): Secret | undefined {
  const field = keyField(auth.type);
  if (field === undefined) {
    throw new ServiceError(
      'invalid_request',
      `${title} uses OAuth and accepts no key. Send PUT without a body. Then create a link with POST to the same path plus /authorization-link.`,
    );
  }
  if (apiKey === undefined && bearerToken === undefined) return undefined;
  const [wanted, other] = field === 'apiKey' ? [apiKey, bearerToken] : [bearerToken, apiKey];
  if (wanted !== undefined && other === undefined) return secret(wanted);
  throw new ServiceError('invalid_request', `${title} accepts only ${field}. Send { "${field}": "…" }.`);
}

function checkCredentialNames({ title, auth }: Connector, { credentials = {} }: AccountSecrets): void {
  const known = 'credentials' in auth ? auth.credentials.map(({ name }) => name) : [];
  const unknown = Object.keys(credentials).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const names = known.length === 1 ? 'only' : 'one of';
  const advice = known.length === 0 ? 'Omit the field "credentials"' : `Use ${names} ${known.join(', ')}`;
  throw new ServiceError('invalid_request', `${title} has no credential "${unknown}". ${advice}.`);
}

/**
 * Returns the API key or bearer token in a request; `undefined` if there is none. Throws invalid_request for secrets
 * that the connector does not use.
 */
export function readKey(
  connectors: Connectors,
  connection: Pick<ConnectionRow, 'connector'>,
  secrets: AccountSecrets,
): Secret | undefined {
  const { apiKey, bearerToken, credentials } = secrets;
  if ([apiKey, bearerToken, credentials].every((value) => value === undefined)) return undefined;
  const connector = findConnector(connectors, connection.connector);
  const key = keyOf(connector, secrets);
  checkCredentialNames(connector, secrets);
  return key;
}

export interface SetSecretsParts {
  readonly vault: Vault;
  readonly commit: Commit;
  readonly cache: Pick<AccountCache, 'drop'>;
  readonly now: () => number;
}

/**
 * Reason in the audit log for secrets that were stored without a test at the upstream. The upstream could not be
 * reached, or the request had `verify: false`.
 */
const NOT_VERIFIED = { reason: 'not_verified' };

export function createSetSecrets({ vault, commit, cache, now }: SetSecretsParts) {
  /**
   * Stores the given key and secondary credentials of an account. A new key sets the account's status to `authorized`.
   */
  async function setSecrets(
    account: StoredAccount,
    key: Secret | undefined,
    { credentials, connectedAs, isVerified }: AccountSecrets & TriedSecrets,
  ): Promise<StoredAccount> {
    if (key === undefined && credentials === undefined) return account;
    const change = {
      ...(key && {
        accessToken: await vault.seal(tokenLocation(account, 'access_token'), key),
        status: 'authorized' as const,
        statusReason: null,
        connectedAs,
        untestedSince: isVerified ? null : now(),
      }),
      ...(credentials && { credentials: await sealCredentials(vault, account, credentials) }),
      updatedAt: now(),
    };
    const { applicationId, id: object } = account;
    const changed = await commit(async (tables, audit) => {
      const row = await tables.accounts.change(account, change);
      if (row)
        audit({
          action: 'account.secrets_changed',
          applicationId,
          object,
          ...(!isVerified && NOT_VERIFIED),
        });
      if (row && row.status !== account.status)
        audit({ action: 'account.authorized', applicationId, object });
      return row;
    });
    cache.drop(account.id);
    if (changed) return { ...account, ...changed };
    throw new ServiceError(
      'conflict',
      'Another request changed the account at the same time, so the secrets were not stored. Send the secrets again.',
    );
  }
  return setSecrets;
}

export type SetSecrets = ReturnType<typeof createSetSecrets>;
