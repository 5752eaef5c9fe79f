import type { ConnectedAccount, ManagingClient } from '@svc/core';
import { approve, type Sandbox, type SandboxUpstream } from '@svc/sandbox';
import { check, say } from './transcript.ts';

export const IDENTIFIER = 'user_42';

/** What an operator does once: a connection, an OAuth client at the upstream, and the one told of the other. */
export async function createConnection(
  svc: ManagingClient,
  sandbox: Sandbox,
  upstream: SandboxUpstream,
): Promise<void> {
  const { id, baseUrl, authorizationEndpoint, tokenEndpoint, revocationEndpoint } = upstream;
  const connection = await svc.connections.create({
    connectionName: id,
    connector: id,
    baseUrl,
    authorizationEndpoint,
    tokenEndpoint,
    revocationEndpoint,
  });
  if (connection.redirectUri === null) throw new Error(`${id} is not authorized by OAuth.`);
  const client = await sandbox.registerClient(id, { redirectUris: [connection.redirectUri] });
  await svc.connections.update(id, client);
  say(`connection "${id}" to ${upstream.title}`, connection.redirectUri);
}

/** What a user does once: open the link, agree here, agree at the upstream. */
export async function authorize(svc: ManagingClient, connectionName: string): Promise<ConnectedAccount> {
  const { link } = await svc.getAuthorizationLink({ connectionName, identifier: IDENTIFIER });
  say(`link for ${IDENTIFIER} to "${connectionName}"`, link.replace(/[^/]+$/, '…'));
  const { status } = await approve(link, { user: 'ada' });
  check(`the browser came back from the consent with 200`, status === 200);
  const account = await svc.getOrCreateConnectedAccount({ connectionName, identifier: IDENTIFIER });
  check(`the account is ${account.status}`, account.status === 'authorized');
  return account;
}
