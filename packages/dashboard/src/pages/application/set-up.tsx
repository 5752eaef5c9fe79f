import { useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import { loadOnce, loadTools } from '../../api/catalogue.ts';
import { loadConnectorsAndConnections } from '../../api/connections.ts';
import { Code } from '../../parts/copy.tsx';
import { SelectField } from '../../parts/field.tsx';
import { Show, useLoaded } from '../../parts/loaded.tsx';
import { hrefOf, PATHS } from '../../paths.ts';
import { serviceUrl } from '../../service-url.ts';
import { easiestTool } from '../tools/easiest-tool.ts';
import { environmentLines } from './environment-lines.ts';
import {
  type Connector,
  curlLines,
  type ExampleCall,
  installLine,
  mcpFile,
  mcpLines,
  programLines,
} from './set-up-lines.ts';

interface SetUpProps {
  readonly applicationId: string;
}

type Choices = Awaited<ReturnType<typeof loadConnectorsAndConnections>>;

/** Shows the code with which a developer makes the first call. */
export function SetUp({ applicationId }: SetUpProps) {
  const loaded = useLoaded(applicationId, (signal) => loadConnectorsAndConnections(applicationId, signal));
  const client = { environmentUrl: serviceUrl(), clientId: applicationId };
  return (
    <section class="panel">
      <h2>Set up your application</h2>
      <p class="soft">
        These steps are for server-side programs on Node.js, Bun or Deno. Replace “…” in SVC_CLIENT_SECRET
        with your client secret. Keep the client secret in the environment, never in code or in a browser.
      </p>
      <h3>1. Set the environment</h3>
      <Code text={environmentLines(client)} what="Environment variables" />
      <Show of={loaded}>{(choices) => <ConnectorSteps applicationId={applicationId} {...choices} />}</Show>
      <details>
        <summary>Other programming languages: call the service over HTTP</summary>
        <p class="soft">
          The first command requests an access token, which is valid for 15 minutes. The second command uses
          it to make a call.
        </p>
        <Code text={curlLines(client.environmentUrl)} what="Commands with curl" />
      </details>
    </section>
  );
}

function ConnectorSteps({ applicationId, connectors, connections }: Choices & SetUpProps) {
  const [chosen, setChosen] = useState(connections[0]?.connector ?? connectors[0]?.id ?? '');
  const connector = connectors.find(({ id }) => id === chosen);
  const connection = connections.find((each) => each.connector === chosen);
  if (connector === undefined) return null;
  const connectionName = connection?.connectionName ?? connector.id;
  return (
    <>
      <SelectField
        label="Connector"
        hint="The sample code on this page uses this connector."
        value={chosen}
        choices={connectors.map(({ id, title }) => ({ value: id, title }))}
        onValue={setChosen}
      />
      {connection === undefined && (
        <p>
          The code needs a connection for {connector.title}.{' '}
          <a href={hrefOf(PATHS.connections, { applicationId })}>Create a connection</a>
        </p>
      )}
      <h3>2. Install the package</h3>
      <Code text={installLine(connector.id)} what="Install command" />
      <h3>3. Make the first call</h3>
      <FirstCall connector={connector} connectionName={connectionName} />
      <details>
        <summary>Agents: call tools over MCP</summary>
        <p class="soft">
          The agent token is valid for one day, one user and this connection. Calls that delete or overwrite
          data need a person’s approval on the page Approvals.
        </p>
        <Code text={mcpLines(serviceUrl(), connectionName)} what="Commands for Claude Code" />
        <p class="soft">
          For editors such as Cursor, use this configuration file. The editor reads the agent token from the
          environment variable SVC_AGENT_TOKEN:
        </p>
        <Code text={mcpFile(serviceUrl())} what="Configuration file for an editor" />
      </details>
    </>
  );
}

interface FirstCallProps {
  readonly connector: Connector;
  readonly connectionName: string;
}

function FirstCall({ connector, connectionName }: FirstCallProps) {
  const loaded = useLoaded(connector.id, async () => ({
    example: await findExample(connector.id),
  }));
  return (
    <Show of={loaded}>
      {({ example }) => (
        <Code text={programLines({ connector, connectionName, example })} what="Example program" />
      )}
    </Show>
  );
}

async function loadExample(connector: string): Promise<ExampleCall | undefined> {
  const first = easiestTool(await loadTools(connector));
  if (first === undefined) return undefined;
  const { examples } = await call('GET /operator/v1/tools/{name}', { path: { name: first.name } });
  return { toolName: first.name, input: examples?.[0]?.input ?? {} };
}

const examples = new Map<string, () => Promise<ExampleCall | undefined>>();

/**
 * Finds an example call of the connector's easiest tool. It is loaded once, because tools can only change when the
 * service restarts.
 */
function findExample(connector: string): Promise<ExampleCall | undefined> {
  const load = examples.get(connector) ?? loadOnce(() => loadExample(connector));
  examples.set(connector, load);
  return load();
}
