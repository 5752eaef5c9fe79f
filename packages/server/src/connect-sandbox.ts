import type { Sandbox, SandboxUpstream } from '@svc/sandbox';
import type { AllowedOrigin } from './allowed-origins.js';
import type { App } from './app.js';
import { ServiceError } from './errors.js';

type ConnectingApp = Pick<App, 'connections' | 'catalog'>;
type ConnectionSettings = Parameters<App['connections']['update']>[2];

async function loadPackage(): Promise<typeof import('@svc/sandbox')> {
  try {
    return await import('@svc/sandbox');
  } catch (error) {
    throw new ServiceError(
      'invalid_request',
      '--sandbox needs the package @svc/sandbox: install it beside @svc/server, or start without the flag.',
      undefined,
      { cause: error },
    );
  }
}

export async function startSandboxOn(port: number): Promise<Sandbox> {
  const { startSandbox } = await loadPackage();
  return startSandbox({ port });
}

/** The sandbox stands for the upstreams of its connectors, and of no other. */
export const sandboxOrigins = ({ upstreams, url }: Sandbox): AllowedOrigin[] =>
  upstreams.map(({ id }) => ({ connector: id, origin: new URL(url).origin }));

/** What leads a connection of the connector to the emulated upstream. */
export function sandboxSettings(
  { catalog }: Pick<App, 'catalog'>,
  upstream: SandboxUpstream,
): ConnectionSettings {
  const { id, baseUrl, hosts, authorizationEndpoint, tokenEndpoint, revocationEndpoint } = upstream;
  const addresses = { baseUrl, ...(hosts && { hosts }) };
  // An MCP server says itself where its endpoints are.
  if (catalog.connectors.get(id)?.auth.type !== 'oauth2') return addresses;
  return {
    ...addresses,
    ...(authorizationEndpoint && { authorizationEndpoint }),
    ...(tokenEndpoint && { tokenEndpoint }),
    ...(revocationEndpoint && { revocationEndpoint }),
  };
}

/** The connection of that name, made when it does not exist yet. */
async function findOrCreate({ connections }: ConnectingApp, applicationId: string, id: string) {
  try {
    return await connections.get(applicationId, id);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'connection_not_found') throw error;
    return connections.create(applicationId, { connectionName: id, connector: id });
  }
}

/** Gives the application one connection to each emulated upstream, named like its connector. */
export async function connectSandbox(
  app: ConnectingApp,
  applicationId: string,
  sandbox: Sandbox,
): Promise<readonly string[]> {
  const upstreams = sandbox.upstreams.filter(({ id }) => app.catalog.connectors.has(id));
  for (const upstream of upstreams) {
    const { id } = upstream;
    const { authType, redirectUri } = await findOrCreate(app, applicationId, id);
    const isNamed = authType === 'oauth2' && redirectUri !== null;
    const client = isNamed ? await sandbox.registerClient(id, { redirectUris: [redirectUri] }) : {};
    await app.connections.update(applicationId, id, { ...sandboxSettings(app, upstream), ...client });
  }
  return upstreams.map(({ id }) => id);
}
