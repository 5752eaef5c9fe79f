import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { call } from '../../api/call.ts';
import type { Connector } from '../../api/catalogue.ts';
import { loadConnectorsAndConnections } from '../../api/connections.ts';
import { loadHealth } from '../../api/health.ts';
import { mayChange } from '../../api/session.ts';
import { useAddressFilters } from '../../parts/address-filters.ts';
import { PLAIN, TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Show, useLoaded } from '../../parts/loaded.tsx';
import { Logo } from '../../parts/logo.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { showToast } from '../../parts/toast.tsx';
import { useDraft } from '../../parts/use-draft.ts';
import { hrefOf, PATHS, withQuery } from '../../paths.ts';
import { authWords } from '../../words/states.ts';
import { AddressFields, hasAddresses, RegionField } from './address-fields.tsx';
import { changesOf, freeName, settingsOfNew, toName, wrongName } from './settings.ts';
import { type Upstream, UpstreamField } from './upstream-field.tsx';

interface Choices {
  readonly connectors: readonly Connector[];
  /** Names of the application's connections, at most 200. A new connection must have a different name. */
  readonly taken: ReadonlySet<string>;
  /** Ids of the connectors that the running sandbox emulates. Empty if the sandbox does not run. */
  readonly emulated: ReadonlySet<string>;
}

async function loadChoices(applicationId: string, signal: AbortSignal): Promise<Choices> {
  const [{ connectors, connections }, health] = await Promise.all([
    loadConnectorsAndConnections(applicationId, signal),
    loadHealth(signal),
  ]);
  return {
    connectors,
    taken: new Set(connections.map(({ connectionName }) => connectionName)),
    emulated: new Set(health?.sandbox?.connectors),
  };
}

const Cards = ({ connectors }: Pick<Choices, 'connectors'>) => {
  const { path } = useLocation();
  return (
    <ul class="cards">
      {connectors.map(({ id, title, description, logo, authType }) => (
        <li key={id}>
          <a class="card" href={withQuery(path, { connector: id })}>
            <Logo svg={logo} />
            <strong>{title}</strong>
            <p>{authWords(authType)}</p>
            <p class="whole">{description}</p>
          </a>
        </li>
      ))}
    </ul>
  );
};

const NEXT: Readonly<Record<Connector['authType'], string>> = {
  oauth2: 'Next step: register the redirect URI with the upstream.',
  mcp_oauth: 'Next step: connect a user. Usually, you do not have to register an OAuth client.',
  api_key: 'Next step: connect a user with an API key.',
  bearer_token: 'Next step: connect a user with a token.',
};

const NEXT_IN_SANDBOX =
  'Next step: connect a user. You do not have to register an OAuth client: the service registers one with the sandbox.';

interface NameSuggestionProps {
  readonly name: string;
  readonly taken: ReadonlySet<string>;
  readonly onName: (name: string) => void;
}

/** Shows a button that replaces the typed name with a valid and unused connection name. */
function NameSuggestion({ name, taken, onName }: NameSuggestionProps) {
  const base = toName(name);
  if (base === '') return null;
  const suggested = freeName(base, taken);
  return (
    <button type="button" class="small" onClick={() => onName(suggested)}>
      Use “{suggested}”
    </button>
  );
}

const Heading = ({ connector }: { readonly connector: Connector }) => (
  <p class="named">
    <Logo svg={connector.logo} />
    <span>
      <strong>{connector.title}</strong>
      <span class="soft">{connector.description}</span>
    </span>
  </p>
);

const Advanced = (fields: Parameters<typeof AddressFields>[0]) => (
  <details>
    <summary>Advanced</summary>
    <div class="stack">
      <p class="soft">Leave a field empty to use the default of the connector.</p>
      <AddressFields {...fields} />
    </div>
  </details>
);

interface NameFormProps extends Pick<Choices, 'taken' | 'emulated'> {
  readonly applicationId: string;
  readonly connector: Connector;
}

function NameForm({ applicationId, connector, taken, emulated }: NameFormProps) {
  const { route } = useLocation();
  const before = settingsOfNew(connector);
  const [suggested] = useState(() => freeName(connector.id, taken));
  const draft = useDraft({
    form: connector.id,
    initial: { ...before, connectionName: suggested, upstream: 'real' as Upstream },
    closesWithQuery: true,
  });
  const { connectionName, upstream, ...settings } = draft.value;
  const isEmulated = emulated.has(connector.id);
  const isSandbox = upstream === 'sandbox' && isEmulated;
  const onChange = draft.change;
  const fields = { connector, before, settings, onChange };
  const isTaken = taken.has(connectionName);
  const wrong = isTaken ? 'This name is already in use. Choose another name.' : wrongName(connectionName);
  const create = async () => {
    if (wrong !== undefined) return;
    const path = { applicationId };
    const body = { connectionName, connector: connector.id };
    await (isSandbox
      ? call('POST /operator/v1/applications/{applicationId}/sandbox-connections', { path, body })
      : call('POST /operator/v1/applications/{applicationId}/connections', {
          path,
          body: { ...body, ...changesOf(before, settings) },
        }));
    draft.reset();
    showToast(`Connection “${connectionName}” created.`);
    route(hrefOf(PATHS.connection, { applicationId, connectionName }));
  };
  return (
    <section class="panel narrow">
      <Heading connector={connector} />
      <Form submit="Create connection" onSubmit={create}>
        <TextField
          label="Name"
          hint="Your code uses this name. You cannot change the name later."
          wrong={wrong}
          value={connectionName}
          onValue={(name) => onChange({ connectionName: name })}
          required
          maxLength={64}
          {...PLAIN}
          autofocus
        />
        {wrong !== undefined && (
          <NameSuggestion
            name={connectionName}
            taken={taken}
            onName={(name) => onChange({ connectionName: name })}
          />
        )}
        {isEmulated && (
          <UpstreamField upstream={upstream} onUpstream={(next) => onChange({ upstream: next })} />
        )}
        {!isSandbox && <RegionField {...fields} />}
        {!isSandbox && hasAddresses(connector) && <Advanced {...fields} />}
        <p class="soft">{isSandbox ? NEXT_IN_SANDBOX : NEXT[connector.authType]}</p>
      </Form>
    </section>
  );
}

function Steps({ applicationId, chosen }: { readonly applicationId: string; readonly chosen: string }) {
  const choices = useLoaded(applicationId, (signal) => loadChoices(applicationId, signal));
  return (
    <Show of={choices}>
      {({ connectors, taken, emulated }) => {
        const connector = connectors.find(({ id }) => id === chosen);
        return connector ? (
          <NameForm {...{ applicationId, connector, taken, emulated }} />
        ) : (
          <Cards connectors={connectors} />
        );
      }}
    </Show>
  );
}

export function NewConnection() {
  const { applicationId = '' } = useRoute().params;
  const { filters } = useAddressFilters(['connector']);
  const { path } = useLocation();
  const isChosen = filters.connector !== '';
  const trail = [{ title: 'Connections', href: hrefOf(PATHS.connections, { applicationId }) }];
  return (
    <Page
      title="Create connection"
      about={isChosen ? 'Choose a name for the connection.' : 'Choose the service that your users connect.'}
      trail={isChosen ? [...trail, { title: 'Create connection', href: path }] : trail}
    >
      {mayChange() ? (
        <Steps applicationId={applicationId} chosen={filters.connector} />
      ) : (
        <Notice>You have read-only access. Ask an operator or owner to create the connection.</Notice>
      )}
    </Page>
  );
}
