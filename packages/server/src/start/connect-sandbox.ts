import { isDeepStrictEqual } from 'node:util';
import type { Sandbox, SandboxOptions, SandboxUpstream } from '@svc/sandbox';
import { ServiceError } from '../errors.js';
import type { AllowedOrigin } from '../names/allowed-origins.js';
import type { EmbeddedApp, EmbeddedConnection, EmbeddedConnectionSettings } from './embedded-app.js';
import { rememberClients, type SandboxClients } from './sandbox-clients.js';

type ConnectingApp = Pick<EmbeddedApp, 'connections' | 'catalog'>;

/** Running sandbox, and the OAuth clients that it registered for connections. */
export interface Emulators {
  readonly sandbox: Sandbox;
  readonly clients: SandboxClients;
}

interface ClientOwner {
  readonly id: string;
  readonly redirectUri: string;
}

async function loadPackage(): Promise<typeof import('@svc/sandbox')> {
  try {
    return await import('@svc/sandbox');
  } catch (error) {
    throw new ServiceError(
      'invalid_request',
      '--sandbox needs the package @svc/sandbox, which is not installed. Run `npm install @svc/sandbox`.',
      undefined,
      { cause: error },
    );
  }
}

export async function startSandboxOn(
  options: Pick<SandboxOptions, 'port' | 'clients' | 'grantFile'>,
): Promise<Sandbox> {
  const { startSandbox } = await loadPackage();
  return startSandbox(options);
}

/** Allows the sandbox's origin for the connectors that the sandbox emulates. Other connectors cannot call it. */
export const sandboxOrigins = ({ upstreams, url }: Sandbox): AllowedOrigin[] =>
  upstreams.map(({ id }) => ({ connector: id, origin: new URL(url).origin }));

/** Builds the connection settings that replace the real upstream by its emulator. */
export function sandboxSettings(
  authType: string | null,
  upstream: SandboxUpstream,
): EmbeddedConnectionSettings {
  const { baseUrl, hosts, authorizationEndpoint, tokenEndpoint, revocationEndpoint } = upstream;
  const addresses = { baseUrl, ...(hosts && { hosts }) };
  // Only OAuth connectors need their endpoints as settings. An emulated MCP server publishes its endpoints itself.
  if (authType !== 'oauth2') return addresses;
  return {
    ...addresses,
    ...(authorizationEndpoint && { authorizationEndpoint }),
    ...(tokenEndpoint && { tokenEndpoint }),
    ...(revocationEndpoint && { revocationEndpoint }),
  };
}

async function findOrCreate({ connections }: ConnectingApp, applicationId: string, id: string) {
  try {
    return await connections.get(applicationId, id);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'connection_not_found') throw error;
    return connections.create(applicationId, { connectionName: id, connector: id });
  }
}

/**
 * Returns true if a connection already has these settings. The client secret is not compared, because connections never
 * return it.
 */
function hasSettings(
  connection: EmbeddedConnection,
  { clientSecret: _, ...settings }: EmbeddedConnectionSettings,
): boolean {
  const properties = Object.entries(connection);
  return Object.entries(settings).every(([name, expected]) =>
    properties.some(([key, value]) => key === name && isDeepStrictEqual(value, expected)),
  );
}

async function clientOf(sandbox: Sandbox, clients: SandboxClients, { id, redirectUri }: ClientOwner) {
  const known = clients.find(id, redirectUri);
  if (known !== undefined) return known;
  const redirectUris = [redirectUri];
  const client = { id, redirectUris, ...(await sandbox.registerClient(id, { redirectUris })) };
  clients.store(client);
  return client;
}

const hasAccounts = (error: unknown): boolean =>
  error instanceof ServiceError && error.reason === 'has_accounts';

function staysAt({ connectionName, baseUrl }: EmbeddedConnection, { url }: Sandbox): string {
  const start = baseUrl === null ? '' : `start with SVC_SANDBOX_PORT=${new URL(baseUrl).port}, or `;
  return `The connection ${connectionName} does not use this sandbox (${url}), because its accounts belong to ${baseUrl ?? 'the real upstream'}. To use the sandbox, ${start}delete these accounts and start again.`;
}

/**
 * Returns the settings that connect a connection to the sandbox, with an OAuth client if its connector needs one.
 * Resolves to `undefined` if the sandbox does not emulate the connector.
 */
export async function readSandboxSettings(
  { sandbox, clients }: Emulators,
  { connector, authType, redirectUri }: Pick<EmbeddedConnection, 'connector' | 'authType' | 'redirectUri'>,
): Promise<EmbeddedConnectionSettings | undefined> {
  const upstream = sandbox.upstreams.find(({ id }) => id === connector);
  if (upstream === undefined) return undefined;
  const settings = sandboxSettings(authType, upstream);
  if (authType !== 'oauth2' || redirectUri === null) return settings;
  const { clientId, clientSecret } = await clientOf(sandbox, clients, { id: connector, redirectUri });
  return { ...settings, clientId, clientSecret };
}

export interface ConnectedSandbox {
  /** Names of the connections to emulated upstreams. */
  readonly connections: readonly string[];
  /** Sentences about connections that keep the URL of an earlier sandbox, because they have connected accounts. */
  readonly warnings: readonly string[];
}

/** Creates one connection for each emulated upstream. The connection has the name of its connector. */
export async function connectSandbox(
  app: ConnectingApp,
  applicationId: string,
  { sandbox, clients = rememberClients() }: { readonly sandbox: Sandbox; readonly clients?: SandboxClients },
): Promise<ConnectedSandbox> {
  const warnings: string[] = [];
  const upstreams = sandbox.upstreams.filter(({ id }) => app.catalog.connectors.has(id));
  for (const { id } of upstreams) {
    const connection = await findOrCreate(app, applicationId, id);
    const settings = await readSandboxSettings({ sandbox, clients }, connection);
    if (settings === undefined || hasSettings(connection, settings)) continue;
    try {
      await app.connections.update(applicationId, id, settings);
    } catch (error) {
      if (!hasAccounts(error)) throw error;
      warnings.push(staysAt(connection, sandbox));
    }
  }
  return { connections: upstreams.map(({ id }) => id), warnings };
}
