import type { Connector } from '@svc/catalog';
import type { AccountName, Client, ConnectedAccount } from '@svc/core';
import { approve } from '@svc/sandbox';
import type { App } from '@svc/server';

/** Account to connect. */
export interface AuthorizeRequest extends AccountName {
  /** User of the sandbox who consents: `ada` or `grace`. Default: `ada`. */
  readonly user?: 'ada' | 'grace' | undefined;
}

/** Connects an account as its user would do in the browser, and resolves to the connected account. */
export type Authorize = (account: AuthorizeRequest) => Promise<ConnectedAccount>;

interface AuthorizeParts {
  readonly app: Pick<App, 'connections' | 'catalog'>;
  readonly client: Client;
  readonly clientId: string;
}

/**
 * Returns the keys of a user that the sandbox accepts. Each user has other keys. Returns `undefined` if the connector
 * uses OAuth instead of keys.
 */
function keysOf({ id, auth }: Connector, identifier: string) {
  if (auth.type !== 'api_key' && auth.type !== 'bearer_token') return undefined;
  const key = (name: string) => `sandbox-${name}-${encodeURIComponent(identifier)}`;
  return {
    ...(auth.type === 'api_key' ? { apiKey: key(id) } : { bearerToken: key(id) }),
    credentials: Object.fromEntries(auth.credentials.map(({ name }) => [name, key(name)])),
  };
}

/**
 * Creates the function that connects an account: it sends a key, or follows the authorization link through the consent
 * pages of the sandbox.
 */
export function createAuthorize({ app, client, clientId }: AuthorizeParts): Authorize {
  return async ({ connectionName, identifier, user = 'ada' }) => {
    const account = { connectionName, identifier };
    const connection = await app.connections.get(clientId, connectionName);
    const connector = app.catalog.connectors.get(connection.connector);
    const keys = connector && keysOf(connector, identifier);
    if (keys !== undefined) return client.getOrCreateConnectedAccount({ ...account, ...keys });
    const { link } = await client.getAuthorizationLink(account);
    const { status, url } = await approve(link, { user });
    if (status !== 200)
      throw new Error(
        `The consent for "${connectionName}" ended with HTTP ${status} at ${new URL(url).pathname}. Use another user of the sandbox, or correct the connection.`,
      );
    return client.getOrCreateConnectedAccount(account);
  };
}
