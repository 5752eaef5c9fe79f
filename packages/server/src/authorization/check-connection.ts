import { withTimeout } from '../concurrency/with-timeout.js';
import { toTestColumns } from '../connections/connection.js';
import { addressesOf } from '../connections/connection-addresses.js';
import type { ConnectionOAuth, DescribeOAuth } from '../connections/connection-oauth.js';
import { type Connector, type Connectors, findConnector } from '../connections/connector.js';
import type { Discoveries } from '../connections/discoveries.js';
import { findConnection } from '../connections/find-account.js';
import type { TryClient } from '../connections/try-client.js';
import type { MetadataAccess } from '../oauth/metadata-document.js';
import type { Commit } from '../records/commit.js';
import type { ConnectionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import { createCheckScopes } from './check-scopes.js';
import {
  type CheckStep,
  clientUnknown,
  explain,
  failed,
  passed,
  skipped,
  toRefusalSteps,
} from './check-step.js';
import { resourceOf } from './discovered-oauth.js';

export interface CheckConnectionParts {
  readonly storage: Pick<Storage, 'connections'>;
  readonly connectors: Connectors;
  readonly commit: Commit;
  readonly fetch: MetadataAccess['fetch'];
  readonly discoveries: Discoveries;
  readonly describeOAuth: DescribeOAuth;
  readonly tryClient: TryClient;
  readonly environmentUrl: string;
  readonly now: () => number;
}

export interface ConnectionCheck {
  readonly isWorking: boolean;
  readonly steps: readonly CheckStep[];
}

interface Checked {
  readonly connection: ConnectionRow;
  readonly connector: Connector;
}

const LIMIT_MS = 10_000;

export function createCheckConnection(parts: CheckConnectionParts) {
  const { storage, connectors, commit, fetch, discoveries, describeOAuth, tryClient, now } = parts;
  const checkScopes = createCheckScopes(parts);

  async function checkBaseUrl({ connection, connector }: Checked): Promise<CheckStep> {
    try {
      const { baseUrl } = addressesOf({ ...connection, connectionName: connection.name }, connector);
      const { status, body } = await fetch(baseUrl, { redirect: 'manual', connector: connector.id });
      await body?.cancel();
      if (status < 500) return passed('base_url', `The API of ${connector.title} responds at the base URL.`);
      return failed(
        'base_url',
        `The API of ${connector.title} responded with status ${status}, an error of the API itself. Retry later.`,
      );
    } catch (error) {
      return failed('base_url', explain(error, 'If `baseUrl` of the connection is wrong, correct it.'));
    }
  }

  async function checkClient(
    connection: ConnectionRow,
    { server, client }: ConnectionOAuth,
    isDiscovered: boolean,
  ): Promise<readonly CheckStep[]> {
    const refusal = await tryClient({ connectionId: connection.id, server, client: await client() });
    const remedy = isDiscovered
      ? 'ask the operator of the authorization server to correct "token_endpoint" in its metadata'
      : `correct "tokenEndpoint" with PATCH /v1/connections/${connection.name}`;
    if (refusal) return toRefusalSteps(refusal, connection, remedy);
    const message = `The token endpoint accepts an invalid authorization code, so its URL is wrong: ${remedy}.`;
    return [failed('token_endpoint', message), clientUnknown];
  }

  async function discover({ connection, connector }: Checked): Promise<CheckStep> {
    const resource = resourceOf(connection, connector);
    // Drops the cached metadata of the authorization server, because the connection check must use the current
    // metadata.
    discoveries.forget(resource);
    try {
      await discoveries.find(resource);
      return passed('discovery', 'The MCP server publishes its authorization server.');
    } catch (error) {
      return failed('discovery', explain(error, 'If `baseUrl` of the connection is wrong, correct it.'));
    }
  }

  async function checkOAuth({ connection, connector }: Checked): Promise<readonly CheckStep[]> {
    const isDiscovered = connector.auth.type === 'mcp_oauth';
    const discovery = isDiscovered ? await discover({ connection, connector }) : undefined;
    if (discovery?.result === 'failed') return [discovery, clientUnknown];
    const before = discovery ? [discovery] : [];
    try {
      const described = await describeOAuth(connection);
      const [client, scopes] = await Promise.all([
        checkClient(connection, described, isDiscovered),
        checkScopes(connection, connector, described),
      ]);
      return [...before, ...client, ...scopes];
    } catch (error) {
      return [...before, failed('client', explain(error))];
    }
  }

  function checksOf(checked: Checked): readonly Promise<readonly CheckStep[]>[] {
    const { type } = checked.connector.auth;
    const oauth = ['oauth2', 'mcp_oauth'].includes(type);
    const keyLater = skipped(
      'client',
      'The check cannot test a key, because each account has its own. The first call of an account shows whether its key is valid.',
    );
    return [
      ...(type === 'mcp_oauth' ? [] : [checkBaseUrl(checked).then((step) => [step])]),
      oauth ? checkOAuth(checked) : Promise.resolve([keyLater]),
    ];
  }

  /**
   * Checks the settings of a connection with test requests to the upstream. The check does not affect connected users.
   */
  async function checkConnection(applicationId: string, connectionName: string): Promise<ConnectionCheck> {
    const connection = await findConnection(storage, applicationId, connectionName);
    const connector = findConnector(connectors, connection.connector);
    const late = () => [
      failed(
        'deadline',
        `The upstream did not respond within ${LIMIT_MS / 1000} s. Run the check again later.`,
      ),
    ];
    const checks = checksOf({ connection, connector }).map((check) => withTimeout(LIMIT_MS, check, late));
    const steps = (await Promise.all(checks)).flat();
    const failedSteps = steps.filter(({ result }) => result === 'failed');
    const failures = failedSteps.map(({ name }) => name);
    await commit(async (tables, audit) => {
      await tables.connections.setTest(connection, toTestColumns(now(), failedSteps));
      const reason = failures.length === 0 ? 'working' : failures.join();
      audit({ action: 'connection.checked', applicationId, object: connection.id, reason });
    });
    return { isWorking: failures.length === 0, steps };
  }
  return checkConnection;
}

export type CheckConnection = ReturnType<typeof createCheckConnection>;
