import type { ComponentChildren } from 'preact';
import { useLocation, useRoute } from 'preact-iso';
import { call } from '../../api/call.ts';
import { type Connector, withConnectors } from '../../api/catalogue.ts';
import { mayChange } from '../../api/session.ts';
import { Copied } from '../../parts/copy.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Fact } from '../../parts/fact.tsx';
import { type Loaded, Show, useLoaded } from '../../parts/loaded.tsx';
import { Markdown } from '../../parts/markdown.tsx';
import { Page } from '../../parts/page.tsx';
import { StatePanel } from '../../parts/state.tsx';
import { Time } from '../../parts/time.tsx';
import { say } from '../../parts/toast.tsx';
import { hrefOf, PATHS } from '../../paths.ts';
import { authWords, connectionWords, TEST_FAILED } from '../../words/states.ts';
import { ConnectAccount } from '../accounts/connect-account.tsx';
import { AccountSummary, allOf, type ConnectionPlace, type Summary, useSummary } from './account-summary.tsx';
import { CheckResult, useConnectionCheck } from './connection-check.tsx';
import type { Connection as Shown } from './settings.ts';
import { SettingsForm } from './settings-form.tsx';

interface Found {
  readonly connection: Shown;
  /** Absent when it has left the catalogue. */
  readonly connector: Connector | undefined;
}

async function loadConnection(path: ConnectionPlace, signal: AbortSignal): Promise<Found> {
  const { value, connectorOf } = await withConnectors(
    call('GET /operator/v1/applications/{applicationId}/connections/{connectionName}', { path }, { signal }),
  );
  return { connection: value, connector: connectorOf(value.connector) };
}

interface BodyProps extends Found {
  readonly place: ConnectionPlace;
  readonly onSaved: () => void;
}

const isUnfinished = ({ authType, clientId }: Shown): boolean => authType === 'oauth2' && clientId === null;

interface SetUpProps extends Found {
  readonly place: ConnectionPlace;
  readonly summary: Loaded<Summary>;
  readonly form: ComponentChildren;
}

/** A connection whose set-up is complete. */
const SetUp = ({ place, connection, connector, summary, form }: SetUpProps) => (
  <div class="columns">
    <div class="stack">
      <section class="panel" aria-labelledby="facts">
        <h2 id="facts">What it is</h2>
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
        <AccountSummary place={place} summary={summary} />
      </section>
      {connector?.setup !== undefined && (
        <section class="panel" aria-labelledby="setup">
          <h2 id="setup">In the upstream’s console</h2>
          <Markdown text={connector.setup} />
        </section>
      )}
    </div>
  </div>
);

function Body({ place, connection, connector, onSaved }: BodyProps) {
  const check = useConnectionCheck(place);
  const summary = useSummary(place);
  const isFirst = isUnfinished(connection);
  const saved = () => {
    say('The settings are saved.');
    onSaved();
    void check.run();
  };
  const { applicationId } = place;
  const given = { applicationId, connection, onSaved: saved };
  const form = connector && mayChange() && (
    <SettingsForm key={connection.updatedAt} connector={connector} {...given} />
  );
  return (
    <>
      <StatePanel words={check.checked?.isWorking === false ? TEST_FAILED : connectionWords(connection)}>
        {form && !isFirst && (
          <button type="button" onClick={check.run} disabled={check.isBusy}>
            {check.isBusy ? 'Testing…' : 'Test now'}
          </button>
        )}
        <CheckResult test={check} />
      </StatePanel>
      {form && isFirst ? (
        <FirstSetup redirectUri={connection.redirectUri ?? ''} connector={connector}>
          {form}
        </FirstSetup>
      ) : (
        <SetUp place={place} connection={connection} connector={connector} summary={summary} form={form} />
      )}
      {mayChange() && <DeleteConnection place={place} summary={summary.value} />}
    </>
  );
}

export function Connection() {
  const { applicationId = '', connectionName = '' } = useRoute().params;
  const place = { applicationId, connectionName };
  const found = useLoaded(JSON.stringify(place), (signal) => loadConnection(place, signal));
  const isReady = found.value !== undefined && connectionWords(found.value.connection).tone === 'good';
  return (
    <Page
      title={connectionName}
      about={found.value?.connector?.description}
      trail={[{ title: 'Connections', href: hrefOf(PATHS.connections, { applicationId }) }]}
      actions={
        isReady &&
        mayChange() && <ConnectAccount applicationId={applicationId} connectionName={connectionName} />
      }
    >
      <Show of={found}>
        {({ connection, connector }) => (
          <Body place={place} connection={connection} connector={connector} onSaved={found.reload} />
        )}
      </Show>
    </Page>
  );
}

interface FirstSetupProps {
  readonly redirectUri: string;
  readonly connector: Connector;
  /** The form for the client ID and secret. */
  readonly children: ComponentChildren;
}

/** The remaining steps before users can connect, in order. */
const FirstSetup = ({ redirectUri, connector, children }: FirstSetupProps) => (
  <ol class="steps">
    <li class="panel">
      <h2>Copy the redirect URI</h2>
      <Copied text={redirectUri} what="the redirect URI" />
    </li>
    <li class="panel">
      <h2>Register it with {connector.api}</h2>
      {connector.setup !== undefined && <Markdown text={connector.setup} />}
    </li>
    <li class="panel">
      <h2>Use your own credentials</h2>
      {children}
    </li>
  </ol>
);

const ConnectionFacts = ({ connection, connector }: Found) => (
  <dl class="facts">
    <Fact title="Name in code">
      <Copied text={connection.connectionName} what="the name of the connection" />
    </Fact>
    <Fact title="Connector">{connector ? `${connector.title}, ${connector.api}` : connection.connector}</Fact>
    <Fact title="How users connect">{authWords(connection.authType)}</Fact>
    {connection.redirectUri !== null && (
      <Fact title="Redirect URI">
        <Copied text={connection.redirectUri} what="the redirect URI" />
      </Fact>
    )}
    <Fact title="Reached at">{connection.baseUrl ?? 'No address'}</Fact>
    <Fact title="Created">
      <Time at={connection.createdAt} />, changed <Time at={connection.updatedAt} />
    </Fact>
  </dl>
);

interface DeleteConnectionProps {
  readonly place: ConnectionPlace;
  /** Absent while it is not known. */
  readonly summary: Summary | undefined;
}

function DeleteConnection({ place, summary }: DeleteConnectionProps) {
  const { route } = useLocation();
  const remove = async () => {
    await call('DELETE /operator/v1/applications/{applicationId}/connections/{connectionName}', {
      path: place,
    });
    say(`“${place.connectionName}” is deleted.`);
    route(hrefOf(PATHS.connections, place));
  };
  return (
    <section class="panel" aria-labelledby="delete">
      <h2 id="delete">Delete</h2>
      <p>Its accounts go with it, and calls that name the connection fail from then on.</p>
      <Confirm action="Delete connection" question={`Delete “${place.connectionName}”?`} onConfirm={remove}>
        <p>
          It has {summary === undefined ? 'accounts that could not be counted' : allOf(summary)}. Each access
          is ended at the upstream and deleted here: its user has to approve again, or to give their key
          again.
        </p>
        <p>This cannot be undone. With many accounts it takes a while.</p>
      </Confirm>
    </section>
  );
}
