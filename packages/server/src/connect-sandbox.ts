import type { Sandbox, SandboxUpstream } from '@svc/sandbox';
import type { App } from './app.js';
import { ServiceError } from './errors.js';

type ConnectingApp = Pick<App, 'connections' | 'catalog'>;

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

/** The connection of that name, made when it does not exist yet. */
async function findOrCreate(
  { connections }: ConnectingApp,
  applicationId: string,
  upstream: SandboxUpstream,
) {
  const { id, baseUrl, authorizationEndpoint, tokenEndpoint, revocationEndpoint } = upstream;
  const endpoints = { baseUrl, authorizationEndpoint, tokenEndpoint, revocationEndpoint };
  try {
    return await connections.update(applicationId, id, endpoints);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'connection_not_found') throw error;
    return connections.create(applicationId, { connectionName: id, connector: id, ...endpoints });
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
    const { connectionName, redirectUri } = await findOrCreate(app, applicationId, upstream);
    if (redirectUri === null) continue;
    const client = await sandbox.registerClient(upstream.id, { redirectUris: [redirectUri] });
    await app.connections.update(applicationId, connectionName, client);
  }
  return upstreams.map(({ id }) => id);
}
