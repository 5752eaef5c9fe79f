import type { ConnectedAccount, ManagingClient } from '@svc/core';
import { approve, type Sandbox, type SandboxUpstream } from '@svc/sandbox';
import { check, say } from './transcript.ts';

export const IDENTIFIER = 'user_42';

/** Creates a connection and an OAuth client at the sandbox upstream, as an operator does once. */
export async function createConnection(
  svc: ManagingClient,
  sandbox: Sandbox,
  { id, title, baseUrl, hosts = {}, ...upstream }: SandboxUpstream,
): Promise<void> {
  const addresses = { connectionName: id, connector: id, baseUrl, hosts };
  const { authType, redirectUri } = await svc.connections.create(addresses);
  if (authType === 'oauth2') {
    const client = await sandbox.registerClient(id, { redirectUris: [`${redirectUri}`] });
    await svc.connections.update(id, { ...endpointsOf(upstream), ...client });
  }
  say(`connection "${id}" to ${title}`, redirectUri ?? 'with keys');
}

/**
 * Returns the endpoints of a sandbox authorization server without undefined ones. Some servers have no revocation
 * endpoint.
 */
function endpointsOf({ authorizationEndpoint, tokenEndpoint, revocationEndpoint }: Partial<SandboxUpstream>) {
  return {
    ...(authorizationEndpoint && { authorizationEndpoint }),
    ...(tokenEndpoint && { tokenEndpoint }),
    ...(revocationEndpoint && { revocationEndpoint }),
  };
}

/** Connects an account as the account's user does: opens the authorization link and consents, or provides a key. */
export async function authorize(svc: ManagingClient, connectionName: string): Promise<ConnectedAccount> {
  const secrets = await secretsFor(svc, connectionName);
  if (secrets === undefined) await approveLink(svc, connectionName);
  const user = { connectionName, identifier: IDENTIFIER };
  const account = await svc.getOrCreateConnectedAccount({ ...user, ...secrets });
  check(`the account is ${account.status}`, account.status === 'authorized');
  return account;
}

async function approveLink(svc: ManagingClient, connectionName: string): Promise<void> {
  const { link } = await svc.getAuthorizationLink({ connectionName, identifier: IDENTIFIER });
  say(`link for ${IDENTIFIER} to "${connectionName}"`, `${link.slice(0, link.lastIndexOf('/'))}/…`);
  const { status } = await approve(link, { user: 'ada' });
  check(`the browser returned from the consent with 200`, status === 200);
}

interface ConnectorDetails {
  readonly authType: string;
  readonly credentials: readonly { readonly name: string }[];
}

/**
 * Returns the keys that a user enters to connect an account. Undefined for upstreams that use an authorization link.
 */
async function secretsFor(svc: ManagingClient, connector: string) {
  const { authType, credentials } = await svc.call<ConnectorDetails>({
    method: 'GET',
    path: `/v1/connectors/${connector}`,
  });
  if (authType !== 'api_key' && authType !== 'bearer_token') return undefined;
  const key = `sandbox-${connector}`;
  say(
    `${IDENTIFIER} gives a key for "${connector}"`,
    [key, ...credentials.map(({ name }) => name)].join(', '),
  );
  return {
    ...(authType === 'api_key' ? { apiKey: key } : { bearerToken: key }),
    ...(credentials.length > 0 && {
      credentials: Object.fromEntries(credentials.map(({ name }) => [name, `sandbox-${name}`])),
    }),
  };
}
