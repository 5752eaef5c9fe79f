import type { ComponentChildren } from 'preact';
import { useRoute } from 'preact-iso';
import { call } from '../../api/call.ts';
import { type Connector, loadConnectors } from '../../api/catalogue.ts';
import { mayChange } from '../../api/session.ts';
import { type Loaded, Show, useLoaded } from '../../parts/loaded.tsx';
import { Markdown } from '../../parts/markdown.tsx';
import { Page } from '../../parts/page.tsx';
import { StatePanel } from '../../parts/state.tsx';
import { say } from '../../parts/toast.tsx';
import { hrefOf, PATHS } from '../../paths.ts';
import { connectionWords, TEST_FAILED } from '../../words/states.ts';
import { ConnectAccount } from '../accounts/connect-account.tsx';
import { AccountSummary, type ConnectionPlace, type Summary, useSummary } from './account-summary.tsx';
import { CheckResult, useConnectionCheck } from './connection-check.tsx';
import { ConnectionFacts } from './connection-facts.tsx';
import { DeleteConnection } from './delete-connection.tsx';
import { FirstSetup } from './first-setup.tsx';
import type { Connection as Shown } from './settings.ts';
import { SettingsForm } from './settings-form.tsx';

interface Found {
  readonly connection: Shown;
  /** Absent when it has left the catalogue. */
  readonly connector: Connector | undefined;
}

async function loadConnection(path: ConnectionPlace, signal: AbortSignal): Promise<Found> {
  const [connection, connectors] = await Promise.all([
    call('GET /operator/v1/applications/{applicationId}/connections/{connectionName}', { path }, { signal }),
    loadConnectors(),
  ]);
  return { connection, connector: connectors.find(({ id }) => id === connection.connector) };
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

/** A connection that has what it needs. */
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
