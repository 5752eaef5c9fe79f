import { useLocation, useRoute } from 'preact-iso';
import { call } from '../../api/call.ts';
import { mayChange } from '../../api/session.ts';
import { Copied } from '../../parts/copy.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Fact } from '../../parts/fact.tsx';
import { Form } from '../../parts/form.tsx';
import { Show, useLive, useLoaded } from '../../parts/loaded.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { StatePanel } from '../../parts/state.tsx';
import { Time } from '../../parts/time.tsx';
import { showToast } from '../../parts/toast.tsx';
import { useDraft } from '../../parts/use-draft.ts';
import { useFieldErrors } from '../../parts/use-field-errors.ts';
import '../../styles/webhooks.css';
import { hrefOf, PATHS, withQuery } from '../../paths.ts';
import { endpointWords } from '../../words/endpoint-states.ts';
import { type Endpoint, titleOfEvent } from '../../words/webhooks.ts';
import { DeliveryList } from './delivery-list.tsx';
import { EndpointFields, type EndpointSettings, FIELD_NAMES, LABELS } from './endpoint-fields.tsx';
import { SigningSecret } from './signing-secret.tsx';

const GET = 'GET /operator/v1/applications/{applicationId}/webhook-endpoints/{endpointId}';
const CHANGE = 'PATCH /operator/v1/applications/{applicationId}/webhook-endpoints/{endpointId}';
const TEST = 'POST /operator/v1/applications/{applicationId}/webhook-endpoints/{endpointId}/test';
const DELETE = 'DELETE /operator/v1/applications/{applicationId}/webhook-endpoints/{endpointId}';

interface EndpointPath {
  readonly applicationId: string;
  readonly endpointId: string;
}

interface EndpointProps {
  readonly path: EndpointPath;
  readonly endpoint: Endpoint;
  readonly onChange: () => void;
}

const loadEndpoint = (path: EndpointPath, signal: AbortSignal) => call(GET, { path }, { signal });

export function EndpointPage() {
  const { applicationId = '', endpointId = '' } = useRoute().params;
  const path = { applicationId, endpointId };
  const loaded = useLoaded(JSON.stringify(path), (signal) => loadEndpoint(path, signal));
  return (
    <Page
      title={loaded.value?.description ?? 'Webhook endpoint'}
      about={loaded.value && <span class="url">{loaded.value.url}</span>}
      trail={[{ title: 'Webhooks', href: hrefOf(PATHS.webhooks, { applicationId }) }]}
    >
      <Show of={loaded}>
        {(endpoint) => <Body path={path} endpoint={endpoint} onChange={loaded.reload} />}
      </Show>
    </Page>
  );
}

function Body(props: EndpointProps) {
  const { path, endpoint, onChange } = props;
  const { applicationId, endpointId } = path;
  const { value: live, error } = useLive(endpoint, (signal) => loadEndpoint(path, signal));
  const all = withQuery(hrefOf(PATHS.webhooks, { applicationId }), { endpointId });
  return (
    <>
      {error !== undefined && <ErrorNotice error={error} />}
      <StatePanel words={endpointWords(live)}>
        {mayChange() && live.enabled && live.pausedReason === undefined && <TestEndpoint path={path} />}
        {mayChange() && <Switch {...props} endpoint={live} />}
      </StatePanel>
      <div class="columns">
        <section class="panel" aria-labelledby="settings">
          <h2 id="settings">Settings</h2>
          {mayChange() ? <SettingsForm {...props} /> : <Settings endpoint={live} />}
        </section>
        <div class="stack">
          <Details endpoint={live} />
          <SigningSecret applicationId={applicationId} endpoint={live} onChange={onChange} />
          {mayChange() && <DeleteEndpoint {...props} />}
        </div>
      </div>
      <section class="stack" aria-labelledby="deliveries">
        <h2 id="deliveries">Deliveries</h2>
        <DeliveryList
          applicationId={applicationId}
          query={{ endpointId }}
          empty="No deliveries yet. The endpoint gets its first delivery with the next event of a chosen type."
        />
        <p>
          <a href={all}>Filter the deliveries of this endpoint</a>
        </p>
      </section>
    </>
  );
}

/** Button that sends a test event to the endpoint, and opens the page of its delivery. */
function TestEndpoint({ path }: Pick<EndpointProps, 'path'>) {
  const { route } = useLocation();
  const send = async () => {
    const { id: deliveryId } = await call(TEST, { path });
    showToast('Test event sent.');
    route(hrefOf(PATHS.delivery, { applicationId: path.applicationId, deliveryId }));
  };
  return <Form submit="Send test event" tone="secondary" onSubmit={send} />;
}

/** Button that enables or disables the webhook endpoint. */
function Switch({ path, endpoint: { enabled }, onChange }: EndpointProps) {
  const change = async (to: boolean) => {
    await call(CHANGE, { path, body: { enabled: to } });
    showToast(to ? 'Endpoint enabled.' : 'Endpoint disabled.');
    onChange();
  };
  if (!enabled) return <Form submit="Enable endpoint" tone="secondary" onSubmit={() => change(true)} />;
  return (
    <Confirm action="Disable endpoint" question="Disable this endpoint?" onConfirm={() => change(false)}>
      <p>
        While the endpoint is disabled, the service sends nothing to it and creates no deliveries for new
        events. Your application can list these events later. Waiting deliveries continue when you enable the
        endpoint again.
      </p>
    </Confirm>
  );
}

const settingsOf = (endpoint: Endpoint): EndpointSettings => {
  const { url, description = '', types, connectionName = '', ordered } = endpoint;
  return { url, description, types, connectionName, ordered };
};

/** Returns only the changed settings, so that saving them leaves the other settings as they are. */
function changesOf(before: EndpointSettings, { types, connectionName, ordered, ...typed }: EndpointSettings) {
  const [url, description] = [typed.url.trim(), typed.description.trim()];
  return {
    ...(url !== before.url && { url }),
    ...(description !== before.description && { description }),
    ...(types.join() !== before.types.join() && { types: [...types] }),
    ...(connectionName !== before.connectionName && { connectionName: connectionName || null }),
    ...(ordered !== before.ordered && { ordered }),
  };
}

function SettingsForm({ path, endpoint, onChange }: EndpointProps) {
  const draft = useDraft({ form: 'settings', initial: settingsOf(endpoint) });
  const { wrong, send } = useFieldErrors(FIELD_NAMES);
  const save = async () => {
    const body = changesOf(settingsOf(endpoint), draft.value);
    if (Object.keys(body).length === 0) return showToast('No changes to save.');
    const isSaved = await send(() => call(CHANGE, { path, body }, { ifMatch: endpoint.etag }));
    if (!isSaved) return;
    draft.reset({ ...draft.value, ...body, connectionName: draft.value.connectionName });
    showToast('Settings saved.');
    onChange();
  };
  return (
    <Form submit="Save" onSubmit={save} edit={{ compared: { draft, labels: LABELS }, onReload: onChange }}>
      <EndpointFields
        applicationId={path.applicationId}
        value={draft.value}
        change={draft.change}
        wrong={wrong}
      />
    </Form>
  );
}

/** Shows the settings as text, for operators with read-only access. */
const Settings = ({ endpoint }: Pick<EndpointProps, 'endpoint'>) => (
  <dl class="facts">
    <Fact title="Description">{endpoint.description ?? 'None'}</Fact>
    <Fact title="Events">{endpoint.types.map(titleOfEvent).join(', ')}</Fact>
    <Fact title="Connection">{endpoint.connectionName ?? 'All connections'}</Fact>
    <Fact title="Order of events">
      {endpoint.ordered ? 'The events of each account arrive in order' : 'Events arrive in any order'}
    </Fact>
  </dl>
);

const Details = ({ endpoint: { id, url, createdAt, updatedAt } }: Pick<EndpointProps, 'endpoint'>) => (
  <section class="panel" aria-labelledby="facts">
    <h2 id="facts">Details</h2>
    <dl class="facts">
      <Fact title="URL">
        <Copied text={url} what="the URL" />
      </Fact>
      <Fact title="Endpoint ID">
        <Copied text={id} what="the endpoint ID" />
      </Fact>
      <Fact title="Created">
        <Time at={createdAt} />, changed <Time at={updatedAt} />
      </Fact>
    </dl>
  </section>
);

function DeleteEndpoint({ path }: EndpointProps) {
  const { route } = useLocation();
  const remove = async () => {
    await call(DELETE, { path });
    showToast('Endpoint deleted.');
    route(hrefOf(PATHS.webhooks, { applicationId: path.applicationId }));
  };
  return (
    <section class="panel" aria-labelledby="delete">
      <h2 id="delete">Delete</h2>
      <p>After you delete the endpoint, the service sends no more events to it.</p>
      <Confirm action="Delete endpoint" question="Delete this endpoint?" onConfirm={remove}>
        <p>
          The service also deletes all deliveries of the endpoint. The events stay in the list of events. You
          cannot undo this deletion: a new endpoint gets a new signing secret.
        </p>
      </Confirm>
    </section>
  );
}
