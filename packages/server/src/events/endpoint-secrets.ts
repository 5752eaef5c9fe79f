import { type Secret, secret } from '../secret.js';
import type { WebhookEndpointRow } from '../storage/event-rows.js';
import type { Random } from '../text/random.js';
import { isUnreadable } from '../vault/ciphertext.js';
import type { SecretLocation, Vault } from '../vault/vault.js';

const SECRET_BYTES = 32;

/** Creates a secret that signs webhook deliveries, in the format of Standard Webhooks. */
export const newSigningSecret = (random: Random): string =>
  `whsec_${random(SECRET_BYTES).toString('base64')}`;

export const signingSecretLocation = (
  { applicationId, id }: Pick<WebhookEndpointRow, 'applicationId' | 'id'>,
  column: 'secret' | 'previous_secret',
): SecretLocation => ({ applicationId, table: 'webhook_endpoints', rowId: id, column });

/**
 * Decrypts a signing secret. Resolves to `undefined` if it cannot be decrypted, for example because its encryption key
 * was lost.
 */
export async function openSecret(
  vault: Pick<Vault, 'open'>,
  location: SecretLocation,
  sealed: string,
): Promise<Secret | undefined> {
  try {
    return await vault.open(location, sealed);
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}

/**
 * Decrypts the secrets that currently sign deliveries: the new secret first, then the replaced one until it expires.
 * Resolves to `undefined` if one of them cannot be decrypted.
 */
export async function openSecrets(
  vault: Pick<Vault, 'open'>,
  row: WebhookEndpointRow,
  now: number,
): Promise<readonly Secret[] | undefined> {
  const { secret: current, previousSecret, previousSecretUntil } = row;
  const opened = [await openSecret(vault, signingSecretLocation(row, 'secret'), current)];
  if (previousSecret !== null && (previousSecretUntil ?? 0) > now)
    opened.push(await openSecret(vault, signingSecretLocation(row, 'previous_secret'), previousSecret));
  const secrets = opened.filter((value) => value !== undefined);
  return secrets.length === opened.length ? secrets : undefined;
}

/** Encrypts a secret that signs webhook deliveries, for its database column. */
export const sealSecret = (
  vault: Pick<Vault, 'seal'>,
  row: Pick<WebhookEndpointRow, 'applicationId' | 'id'>,
  { column, value }: { readonly column: 'secret' | 'previous_secret'; readonly value: string },
): Promise<string> => vault.seal(signingSecretLocation(row, column), secret(value));
