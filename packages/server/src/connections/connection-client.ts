import type { Client } from '../oauth/authorization-server.js';
import type { ConnectionRow } from '../storage/schema.js';
import type { SecretLocation, Vault } from '../vault/vault.js';

export const clientSecretPlace = ({
  applicationId,
  id,
}: Pick<ConnectionRow, 'applicationId' | 'id'>): SecretLocation => ({
  applicationId,
  table: 'connections',
  rowId: id,
  column: 'client_secret',
});

/** The client that the connection's application set, with its secret decrypted. */
export async function revealClient(vault: Vault, connection: ConnectionRow, id: string): Promise<Client> {
  const { clientSecret } = connection;
  if (clientSecret === null) return { id, secret: undefined };
  const secret = await vault.open(clientSecretPlace(connection), clientSecret);
  return { id, secret: secret.reveal() };
}
