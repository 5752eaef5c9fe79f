import { loadConnectors, loadTools } from '../../api/catalogue.ts';
import { type Health, isSandboxUrl } from '../../api/health.ts';
import type { ApplicationOverview } from '../../api/overview.ts';
import { Form } from '../../parts/form.tsx';
import { useLoaded } from '../../parts/loaded.tsx';
import { Badge } from '../../parts/state.tsx';
import { hrefOf, PATHS, withQuery } from '../../paths.ts';
import { takesKey } from '../../words/states.ts';
import { userOf } from '../../words/user-of.ts';
import { saveSecrets, secretsOf } from '../accounts/secrets.ts';
import { easiestTool, neededBy } from '../tools/easiest-tool.ts';

type Account = NonNullable<ApplicationOverview['account']>;

interface StepsProps {
  readonly overview: ApplicationOverview;
  /** Health report of the service. `undefined` until it is loaded. */
  readonly health: Health | undefined;
  readonly onDone: () => void;
}

interface StepProps {
  readonly title: string;
  readonly isDone: boolean;
  readonly children: preact.ComponentChildren;
}

const Step = ({ title, isDone, children }: StepProps) => (
  <li class="panel">
    <h2>
      {title} {isDone && <Badge tone="good">Done</Badge>}
    </h2>
    {children}
  </li>
);

const ABOUT_CONNECTIONS = 'With a connection, your users can connect their accounts at one upstream service.';

const ConnectionStep = ({ overview: { id, connections }, health }: StepsProps) => (
  <Step title="Create a connection" isDone={connections.length > 0}>
    {connections.length > 0 ? (
      <p>
        {ABOUT_CONNECTIONS}{' '}
        {health?.sandbox != null &&
          'The sandbox created one connection for each connector, with emulated upstreams. '}
        <a href={hrefOf(PATHS.connections, { applicationId: id })}>Show connections</a>
      </p>
    ) : (
      <>
        <p>{ABOUT_CONNECTIONS}</p>
        <a class="button primary" href={hrefOf(PATHS.newConnection, { applicationId: id })}>
          Create connection
        </a>
      </>
    )}
  </Step>
);

const IDENTIFIER = 'first-user';

/**
 * Finds a sandbox connection whose accounts use keys, because the sandbox accepts any key that starts with `sandbox-`.
 */
const findSandboxConnection = ({ connections }: ApplicationOverview, health: Health | undefined) =>
  connections.find(({ authType, baseUrl }) => takesKey(authType) && isSandboxUrl(baseUrl, health));

function SandboxAccount({ overview, health, onDone }: StepsProps) {
  const connectors = useLoaded('connectors', loadConnectors).value ?? [];
  const connection = findSandboxConnection(overview, health);
  if (!connection) return null;
  const { connectionName, authType } = connection;
  const title = connectors.find(({ id }) => id === connection.connector)?.title ?? connectionName;
  const connect = async () => {
    const path = { applicationId: overview.id, connectionName, identifier: IDENTIFIER };
    await saveSecrets(path, secretsOf(authType, { key: `sandbox-${IDENTIFIER}`, credentials: {} }));
    onDone();
  };
  return (
    <Form submit="Connect sandbox account" onSubmit={connect}>
      <p>
        Connect the user “{IDENTIFIER}” to {title} with a sandbox key.
      </p>
    </Form>
  );
}

function AccountStep(props: StepsProps) {
  const { id: applicationId, account, connections } = props.overview;
  const accounts = hrefOf(PATHS.accounts, { applicationId });
  const byLink = connections.find(({ authType }) => !takesKey(authType))?.connectionName;
  return (
    <Step title="Connect an account" isDone={account !== undefined}>
      {account ? (
        <p>
          “{userOf(account)}” is connected to “{account.connectionName}”.{' '}
          <a href={hrefOf(PATHS.account, { applicationId, accountId: account.id })}>Show account</a>
        </p>
      ) : (
        connections.length > 0 && (
          <>
            <SandboxAccount {...props} />
            <p>
              <a href={withQuery(accounts, { connect: 'open', connectionName: byLink })}>
                Connect an account with a link, as your users do
              </a>
            </p>
          </>
        )
      )}
      {!account && connections.length === 0 && <p class="soft">Create a connection first.</p>}
    </Step>
  );
}

function CallStep({ applicationId, account }: { readonly applicationId: string; readonly account: Account }) {
  const tools = useLoaded(account.connector, (signal) => loadTools(account.connector, signal));
  const tool = tools.value && easiestTool(tools.value);
  const query = { accountId: account.id };
  const href = tool
    ? withQuery(hrefOf(PATHS.tool, { applicationId, toolName: tool.name }), query)
    : withQuery(hrefOf(PATHS.tools, { applicationId }), { ...query, connector: account.connector });
  return (
    <>
      <p>
        {tool
          ? `“${tool.title}” is read-only${neededBy(tool) === 0 ? ' and needs no input' : ''}. Open the tool and run it.`
          : 'Choose a tool and run it as this account.'}
      </p>
      <a class="button primary" href={href}>
        {tool ? `Try “${tool.title}”` : 'Choose tool'}
      </a>
    </>
  );
}

export const FirstSteps = (props: StepsProps) => {
  const { id, account, hasCalled } = props.overview;
  return (
    <ol class="steps">
      <ConnectionStep {...props} />
      <AccountStep {...props} />
      <Step title="Call a tool" isDone={hasCalled}>
        {account ? (
          <CallStep applicationId={id} account={account} />
        ) : (
          <p class="soft">Connect an account first.</p>
        )}
      </Step>
    </ol>
  );
};
