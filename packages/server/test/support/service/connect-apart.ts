import type { ConnectedAccount } from '@svc/core';
import { sandboxSettings } from '../../../src/start/connect-sandbox.js';
import { connectAccount, type Service } from './service.js';

/**
 * Connects an account through a new connection, because connections limit their retries and other tests use up that
 * limit.
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
    ...sandboxSettings(app.catalog.connectors.get(connector)?.auth.type ?? null, sandbox.upstream(connector)),
    ...settings,
  });
  if (authType === 'oauth2') {
    const client = await sandbox.registerClient(connector, { redirectUris: [`${redirectUri}`] });
    await app.connections.update(clientId, connectionName, client);
  }
  return connectAccount(service, connectionName);
}
