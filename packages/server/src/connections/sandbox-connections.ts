import { ServiceError } from '../errors.js';
import type { Connection } from './connection.js';
import type { ConnectionSettings } from './connection-settings.js';
import type { Connections } from './connections.js';

/**
 * Function that returns the settings with which a connection uses the running sandbox: URLs and an OAuth client. It
 * resolves to `undefined` if the sandbox does not emulate the connector.
 */
export type ReadSandboxSettings = (
  connection: Pick<Connection, 'connector' | 'authType' | 'redirectUri'>,
) => Promise<ConnectionSettings | undefined>;

interface SandboxConnectionsParts {
  readonly connections: Pick<Connections, 'create' | 'update' | 'delete'>;
  /** Function that reads the sandbox's settings; `undefined` if the sandbox does not run. */
  readonly readSandboxSettings: ReadSandboxSettings | undefined;
}

interface NewSandboxConnection {
  readonly connectionName: string;
  readonly connector: string;
}

const notEmulated = (connector: string): ServiceError =>
  new ServiceError(
    'invalid_request',
    `No running sandbox emulates "${connector}". If no sandbox runs, start the service with --sandbox. Otherwise create a connection to the real upstream.`,
  );

/** Creates the function that creates connections to the sandbox. */
export function createSandboxConnections({ connections, readSandboxSettings }: SandboxConnectionsParts) {
  /**
   * Creates a connection to the sandbox. The connection is stored before its OAuth client is registered, because the
   * redirect URI contains the connection's id. If a later step fails, the connection is deleted.
   */
  return async function createSandboxConnection(
    applicationId: string,
    { connectionName, connector }: NewSandboxConnection,
  ): Promise<Connection> {
    if (readSandboxSettings === undefined) throw notEmulated(connector);
    const created = await connections.create(applicationId, { connectionName, connector });
    try {
      const settings = await readSandboxSettings(created);
      if (settings === undefined) throw notEmulated(connector);
      return await connections.update(applicationId, connectionName, settings);
    } catch (error) {
      await connections.delete(applicationId, connectionName);
      throw error;
    }
  };
}

export type CreateSandboxConnection = ReturnType<typeof createSandboxConnections>;
