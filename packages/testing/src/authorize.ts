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
 * Returns the keys of an account that the sandbox accepts. Each user and each label has other keys. Returns `undefined`
 * if the connector uses OAuth instead of keys.
 */
function keysOf({ id, auth }: Connector, { identifier, account: label }: AccountName) {
  if (auth.type !== 'api_key' && auth.type !== 'bearer_token') return undefined;
  // Separates the label by a control character, which an identifier cannot contain.
  const owner = encodeURIComponent(label ? `${identifier}\n${label}` : identifier);
  const key = (name: string) => `sandbox-${name}-${owner}`;
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
  return async ({ connectionName, identifier, account: label, user = 'ada' }) => {
    const account = { connectionName, identifier, account: label };
    const connection = await app.connections.get(clientId, connectionName);
    const connector = app.catalog.connectors.get(connection.connector);
    const keys = connector && keysOf(connector, account);
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
