import { type Secret, secret } from '../secret.js';
import type { AccountRow } from '../storage/schema.js';
import { parseObject } from '../text/json-object.js';
import type { SecretLocation, Vault } from '../vault/vault.js';

type Owner = Pick<AccountRow, 'applicationId' | 'id' | 'credentials'>;

const credentialLocation = ({ applicationId, id }: Owner, name: string): SecretLocation => ({
  applicationId,
  table: 'accounts',
  rowId: id,
  column: `credentials.${name}`,
});

function readSealed(json: string): readonly (readonly [name: string, sealed: string])[] {
  return Object.entries(parseObject(json) ?? {}).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : [],
  );
}

/** Returns the names of an account's stored secondary credentials. */
export const credentialNames = ({ credentials }: Pick<AccountRow, 'credentials'>): string[] =>
  readSealed(credentials).map(([name]) => name);

/** Encrypts secondary credentials. Returns the database column with these and the already stored ones. */
export async function sealCredentials(
  vault: Vault,
  account: Owner,
  given: Readonly<Record<string, string>>,
): Promise<string> {
  const sealed = await Promise.all(
    Object.entries(given).map(
      async ([name, plain]) =>
        [name, await vault.seal(credentialLocation(account, name), secret(plain))] as const,
    ),
  );
  return JSON.stringify(Object.fromEntries([...readSealed(account.credentials), ...sealed]));
}

/**
 * Decrypts the secrets of an account that its connector needs besides the main credential, such as a second API key.
 * Resolves to a map from the secret's name to the secret.
 */
export async function openCredentials(vault: Vault, account: Owner): Promise<ReadonlyMap<string, Secret>> {
  const opened = await Promise.all(
    readSealed(account.credentials).map(
      async ([name, sealed]) => [name, await vault.open(credentialLocation(account, name), sealed)] as const,
    ),
  );
  return new Map(opened);
}
