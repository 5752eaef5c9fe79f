import type { ComponentChildren } from 'preact';
import { useLocation, useRoute } from 'preact-iso';
import { call } from '../../api/call.ts';
import { type Connector, withConnectors } from '../../api/catalogue.ts';
import { mayChange } from '../../api/session.ts';
import { Copied } from '../../parts/copy.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Fact } from '../../parts/fact.tsx';
import { type Loaded, Show, useLive, useLoaded } from '../../parts/loaded.tsx';
import { Markdown } from '../../parts/markdown.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { StatePanel } from '../../parts/state.tsx';
import { Time } from '../../parts/time.tsx';
import { showToast } from '../../parts/toast.tsx';
import { hrefOf, PATHS, withQuery } from '../../paths.ts';
import { canConnect, connectionWords } from '../../words/connections.ts';
import { authWords } from '../../words/states.ts';
import { ConnectAccount } from '../accounts/connect-account.tsx';
import {
  AccountSummary,
  type ConnectionPath,
  type Summary,
  totalOf,
  useSummary,
} from './account-summary.tsx';
import { CheckResult, useConnectionCheck } from './connection-check.tsx';
import type { Connection as Details } from './settings.ts';
import { SettingsForm } from './settings-form.tsx';

interface Subject {
  readonly connection: Details;
  /** Connector of the connection. `undefined` if the connector was removed from the catalogue. */
  readonly connector: Connector | undefined;
}

const loadDetails = (path: ConnectionPath, signal: AbortSignal): Promise<Details> =>
  call('GET /operator/v1/applications/{applicationId}/connections/{connectionName}', { path }, { signal });

async function loadConnection(path: ConnectionPath, signal: AbortSignal): Promise<Subject> {
  const { value, connectorOf } = await withConnectors(loadDetails(path, signal));
  return { connection: value, connector: connectorOf(value.connector) };
}

interface BodyProps extends Subject {
  readonly path: ConnectionPath;
  readonly onSaved: () => void;
}

const isIncomplete = ({ authType, clientId }: Details): boolean => authType === 'oauth2' && clientId === null;

/** Omits the message of a failed test, because the page already shows each step of the test with its message. */
function withoutTestMessage(connection: Details): Details {
  const { reason, ...health } = connection.health;
  return health.state === 'test_failed' ? { ...connection, health } : connection;
}

interface OverviewProps extends Subject {
  readonly path: ConnectionPath;
  readonly summary: Loaded<Summary>;
  readonly form: ComponentChildren;
}

const ConnectionOverview = ({ path, connection, connector, summary, form }: OverviewProps) => (
  <div class="columns">
    <div class="stack">
      <section class="panel" aria-labelledby="facts">
        <h2 id="facts">Details</h2>
        <ConnectionFacts connection={connection} connector={connector} />
      </section>
      {form && (
        <section class="panel" aria-labelledby="settings">
          <h2 id="settings">Settings</h2>
          {form}
        </section>
      )}
    </div>
    <div class="stack">
      <section class="panel" aria-labelledby="accounts">
        <h2 id="accounts">Connected accounts</h2>
        <AccountSummary path={path} summary={summary} />
      </section>
      {connector?.setup !== undefined && (
        <section class="panel" aria-labelledby="setup">
          <h2 id="setup">Setup at the upstream</h2>
          <Markdown text={connector.setup} />
        </section>
      )}
    </div>
  </div>
);

function Body({ path, connection, connector, onSaved }: BodyProps) {
  const check = useConnectionCheck(path, onSaved);
  const { value: live, error } = useLive(connection, (signal) => loadDetails(path, signal));
  const summary = useSummary(path);
  const isFirst = isIncomplete(connection);
  const saved = () => {
    showToast('Settings saved.');
    onSaved();
    void check.run();
  };
  const { applicationId } = path;
  const shared = { applicationId, connection, onSaved: saved, onReload: onSaved };
  const words = connectionWords(check.checked ? withoutTestMessage(live) : live);
  const form = connector && mayChange() && <SettingsForm connector={connector} {...shared} />;
  return (
    <>
      {error !== undefined && <ErrorNotice error={error} />}
      <StatePanel words={words}>
        {words.tone === 'bad' && <FailedCalls {...path} />}
        {form && !isFirst && (
          <button type="button" onClick={check.run} disabled={check.isBusy}>
            {check.isBusy ? 'Testing…' : 'Test connection'}
          </button>
        )}
        <CheckResult test={check} />
      </StatePanel>
      {form && isFirst ? (
        <FirstSetup redirectUri={connection.redirectUri ?? ''} connector={connector}>
          {form}
        </FirstSetup>
      ) : (
        <ConnectionOverview {...{ path, connection, connector, summary, form }} />
      )}
      {mayChange() && <DeleteConnection path={path} summary={summary.value} />}
    </>
  );
}

const FailedCalls = ({ applicationId, connectionName }: ConnectionPath) => (
  <p>
    <a href={withQuery(hrefOf(PATHS.executions, { applicationId }), { connectionName, outcome: 'failed' })}>
      Show failed calls
    </a>
  </p>
);

export function Connection() {
  const { applicationId = '', connectionName = '' } = useRoute().params;
  const path = { applicationId, connectionName };
  const loaded = useLoaded(JSON.stringify(path), (signal) => loadConnection(path, signal));
  const isReady = loaded.value !== undefined && canConnect(loaded.value.connection.health);
  return (
    <Page
      title={connectionName}
      about={loaded.value?.connector?.description}
      trail={[{ title: 'Connections', href: hrefOf(PATHS.connections, { applicationId }) }]}
      actions={
        isReady &&
        mayChange() && <ConnectAccount applicationId={applicationId} connectionName={connectionName} />
      }
    >
      <Show of={loaded}>{(subject) => <Body {...subject} path={path} onSaved={loaded.reload} />}</Show>
    </Page>
  );
}

interface FirstSetupProps {
  readonly redirectUri: string;
  readonly connector: Connector;
  readonly children: ComponentChildren;
}

const FirstSetup = ({ redirectUri, connector, children }: FirstSetupProps) => (
  <ol class="steps">
    <li class="panel">
      <h2>Copy the redirect URI</h2>
      <Copied text={redirectUri} what="the redirect URI" />
    </li>
    <li class="panel">
      <h2>Register the redirect URI with {connector.api}</h2>
      {connector.setup !== undefined && <Markdown text={connector.setup} />}
    </li>
    <li class="panel">
      <h2>Enter the client ID and secret</h2>
      {children}
    </li>
  </ol>
);

const ConnectionFacts = ({ connection, connector }: Subject) => (
  <dl class="facts">
    <Fact title="Connection name">
      <Copied text={connection.connectionName} what="the name of the connection" />
    </Fact>
    <Fact title="Connector">{connector ? `${connector.title}, ${connector.api}` : connection.connector}</Fact>
    <Fact title="How users connect">{authWords(connection.authType)}</Fact>
    {connection.redirectUri !== null && (
      <Fact title="Redirect URI">
        <Copied text={connection.redirectUri} what="the redirect URI" />
      </Fact>
    )}
    {connection.webhookUrl !== null && (
      <Fact title="Address for webhooks from the upstream">
        <Copied text={connection.webhookUrl} what="the webhook address" />
      </Fact>
    )}
    <Fact title="Base URL">{connection.baseUrl ?? 'None'}</Fact>
    <Fact title="Created">
      <Time at={connection.createdAt} />, changed <Time at={connection.updatedAt} />
    </Fact>
  </dl>
);

interface DeleteConnectionProps {
  readonly path: ConnectionPath;
  /** Number of connected accounts by status. `undefined` until the numbers are loaded. */
  readonly summary: Summary | undefined;
}

function DeleteConnection({ path, summary }: DeleteConnectionProps) {
  const { route } = useLocation();
  const remove = async () => {
    await call('DELETE /operator/v1/applications/{applicationId}/connections/{connectionName}', { path });
    showToast(`Connection “${path.connectionName}” deleted.`);
    route(hrefOf(PATHS.connections, path));
  };
  return (
    <section class="panel" aria-labelledby="delete">
      <h2 id="delete">Delete</h2>
      <p>
        “Delete connection” deletes the connection and all its accounts. Calls that use this connection name
        then fail.
      </p>
      <Confirm action="Delete connection" question={`Delete “${path.connectionName}”?`} onConfirm={remove}>
        <p>
          The connection has {summary === undefined ? 'accounts' : totalOf(summary)}. The service revokes all
          access at the upstream and deletes all credentials. To connect again, users must give consent or
          enter their key again.
        </p>
        <p>
          You cannot undo this deletion. If the connection has many accounts, the deletion takes some minutes.
        </p>
      </Confirm>
    </section>
  );
}
