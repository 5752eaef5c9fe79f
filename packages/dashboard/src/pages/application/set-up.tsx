import { useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import { loadConnectors, loadTools } from '../../api/catalogue.ts';
import { listConnections } from '../../api/connections.ts';
import { Code } from '../../parts/copy.tsx';
import { SelectField } from '../../parts/field.tsx';
import { Show, useLoaded } from '../../parts/loaded.tsx';
import { hrefOf, PATHS } from '../../paths.ts';
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

const loadChoices = async (applicationId: string, signal: AbortSignal) => {
  const [connectors, connections] = await Promise.all([
    loadConnectors(),
    listConnections(applicationId, signal),
  ]);
  return { connectors, connections };
};

type Choices = Awaited<ReturnType<typeof loadChoices>>;

/** The code that a developer pastes to make the first call. */
export function SetUp({ applicationId }: SetUpProps) {
  const loaded = useLoaded(applicationId, (signal) => loadChoices(applicationId, signal));
  const client = { environmentUrl: location.origin, clientId: applicationId };
  return (
    <section class="panel">
      <h2>Set up your application</h2>
      <p class="soft">
        Any server-side program with Node.js, Bun or Deno. Put your client secret where the dots are; it
        belongs into the environment of the program, never into its code or into a browser.
      </p>
      <h3>1. The environment</h3>
      <Code text={environmentLines(client)} what="Environment variables" />
      <Show of={loaded}>
        {(choices) => <ConnectorSteps key={applicationId} applicationId={applicationId} {...choices} />}
      </Show>
      <details>
        <summary>Without a package: any language, by HTTP</summary>
        <p class="soft">The first command asks for a token, which lasts 15 minutes; the second uses it.</p>
        <Code text={curlLines(client.environmentUrl)} what="The same with curl" />
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
        hint="What your application is to reach first. The code below is for this one."
        value={chosen}
        choices={connectors.map(({ id, title }) => ({ value: id, title }))}
        onValue={setChosen}
      />
      {connection === undefined && (
        <p>
          There is no connection for {connector.title} yet:{' '}
          <a href={hrefOf(PATHS.connections, { applicationId })}>make one first</a>, and the code works.
        </p>
      )}
      <h3>2. The package</h3>
      <Code text={installLine(connector.id)} what="The command that installs the package" />
      <h3>3. The first call</h3>
      <FirstCall connector={connector} connectionName={connectionName} />
      <details>
        <summary>For an agent: the tools over MCP</summary>
        <p class="soft">
          A token of its own, for one user and this connection, for a day. A person is asked before something
          is deleted or overwritten: they decide under Approvals.
        </p>
        <Code text={mcpLines(location.origin, connectionName)} what="The tools in Claude Code" />
        <p class="soft">Editors such as Cursor read this from a file, and the token from the environment.</p>
        <Code text={mcpFile(location.origin)} what="The tools in an editor" />
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
    example: await findFirstCall(connector.id),
  }));
  return (
    <Show of={loaded}>
      {({ example }) => (
        <Code text={programLines({ connector, connectionName, example })} what="A first program" />
      )}
    </Show>
  );
}

const found = new Map<string, Promise<ExampleCall | undefined>>();

async function askFirstCall(connector: string): Promise<ExampleCall | undefined> {
  const first = easiestTool(await loadTools(connector));
  if (first === undefined) return undefined;
  const { examples } = await call('GET /operator/v1/tools/{name}', { path: { name: first.name } });
  return { toolName: first.name, input: examples?.[0]?.input ?? {} };
}

/** A first tool of the connector with an example. It changes only with the service, so it is loaded once. */
function findFirstCall(connector: string): Promise<ExampleCall | undefined> {
  const known = found.get(connector) ?? askFirstCall(connector);
  found.set(connector, known);
  known.catch(() => found.delete(connector));
  return known;
}
