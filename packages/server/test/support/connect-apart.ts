import type { ConnectedAccount } from '@svc/core';
import { sandboxSettings } from '../../src/start/connect-sandbox.js';
import { connectAccount, type Service } from '../service.js';

/**
 * An approved account at a connection of its own, so that no other test has used up the retries that the
 * connection may make.
 */
export async function connectApart(
  service: Service,
  connector: string,
  settings: { readonly scopes?: readonly string[] } = {},
): Promise<ConnectedAccount> {
  const { app, clientId, sandbox } = service;
  const { items } = await app.connections.list(clientId, {});
  const connectionName = `${connector}-${items.length}`;
  const { authType, redirectUri } = await app.connections.create(clientId, {
    connectionName,
    connector,
    ...sandboxSettings(app, sandbox.upstream(connector)),
    ...settings,
  });
  if (authType === 'oauth2') {
    const client = await sandbox.registerClient(connector, { redirectUris: [`${redirectUri}`] });
    await app.connections.update(clientId, connectionName, client);
  }
  return connectAccount(service, connectionName);
}
