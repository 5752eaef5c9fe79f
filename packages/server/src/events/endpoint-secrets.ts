import { type Secret, secret } from '../secret.js';
import type { WebhookEndpointRow } from '../storage/event-rows.js';
import type { Random } from '../text/random.js';
import type { SecretLocation, Vault } from '../vault/vault.js';

const SECRET_BYTES = 32;

/** Creates a secret that signs webhook deliveries, in the format of Standard Webhooks. */
export const newSigningSecret = (random: Random): string =>
  `whsec_${random(SECRET_BYTES).toString('base64')}`;

export const secretPath = (
  { applicationId, id }: Pick<WebhookEndpointRow, 'applicationId' | 'id'>,
  column: 'secret' | 'previous_secret',
): SecretLocation => ({ applicationId, table: 'webhook_endpoints', rowId: id, column });

/** Decrypts the secrets that sign deliveries now: the current one, and then the replaced one until it expires. */
export async function openSecrets(
  vault: Pick<Vault, 'open'>,
  row: WebhookEndpointRow,
  now: number,
): Promise<readonly Secret[]> {
  const { secret: current, previousSecret, previousSecretUntil } = row;
  const opened = [await vault.open(secretPath(row, 'secret'), current)];
  if (previousSecret !== null && (previousSecretUntil ?? 0) > now)
    opened.push(await vault.open(secretPath(row, 'previous_secret'), previousSecret));
  return opened;
}

/** Encrypts a secret that signs webhook deliveries, for its database column. */
export const sealSecret = (
  vault: Pick<Vault, 'seal'>,
  row: Pick<WebhookEndpointRow, 'applicationId' | 'id'>,
  { column, value }: { readonly column: 'secret' | 'previous_secret'; readonly value: string },
): Promise<string> => vault.seal(secretPath(row, column), secret(value));
