import { call } from '../../api/call.ts';
import { mayChange } from '../../api/session.ts';
import { Confirm, DialogButton } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { type Loaded, Show, useCall, useRefresh } from '../../parts/loaded.tsx';
import { StateCell } from '../../parts/state.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { showToast } from '../../parts/toast.tsx';
import '../../styles/webhooks.css';
import { hrefOf, PATHS, withQuery } from '../../paths.ts';
import { SUBSCRIPTIONS, type Subscription, type Watch, watchWords } from '../../words/watches.ts';

const WATCHES = 'GET /operator/v1/applications/{applicationId}/watches';
const WEBHOOKS = 'GET /operator/v1/applications/{applicationId}/accounts/{id}/webhooks';
const REFRESH_MS = 5000;
/** Maximum number of watches of one account, and maximum number of its webhooks. */
const MOST = 100;
const MOST_SHOWN = 200;

interface WatchProps {
  readonly applicationId: string;
  readonly watch: Watch;
  readonly onChange: () => void;
}

/** Shows the tool of a watch, and its input, because an account can have several watches of one tool. */
function WatchedList({ applicationId, watch: { toolName, toolInput } }: Omit<WatchProps, 'onChange'>) {
  const input = JSON.stringify(toolInput);
  return (
    <>
      <a href={hrefOf(PATHS.tool, { applicationId, toolName })}>{toolName}</a>
      {input !== '{}' && <p class="soft url">{input.slice(0, MOST_SHOWN)}</p>}
    </>
  );
}

/** Shows the state of a watch, with a link to its polls. Their request id is the id of the watch. */
const WatchState = ({ applicationId, watch }: Omit<WatchProps, 'onChange'>) => (
  <>
    <StateCell words={watchWords(watch)} />{' '}
    <a href={withQuery(hrefOf(PATHS.executions, { applicationId }), { requestId: watch.id, range: '30d' })}>
      Show polls
    </a>
  </>
);

function WatchActions({ applicationId, watch, onChange }: WatchProps) {
  const { id, toolName, enabled, state, reason } = watch;
  const path = { applicationId, watchId: id };
  const start = async () => {
    await call('PATCH /operator/v1/applications/{applicationId}/watches/{watchId}', {
      path,
      body: { enabled: true },
    });
    showToast(`Watch of ${toolName} continues.`);
    onChange();
  };
  const remove = async () => {
    await call('DELETE /operator/v1/applications/{applicationId}/watches/{watchId}', { path });
    showToast(`Watch of ${toolName} deleted.`);
    onChange();
  };
  return (
    <div class="row">
      {/* After this reason, every further poll fails too. */}
      {(!enabled || state === 'failed') && reason !== 'out_of_reach' && (
        <DialogButton
          label="Continue"
          class="small"
          aria-label={`Continue: ${toolName}`}
          title="Continue this watch?"
        >
          {(close) => (
            <Form submit="Continue" onCancel={close} onSubmit={() => start().then(close)}>
              <p>The service polls the list immediately, and reports all changes since the last poll.</p>
            </Form>
          )}
        </DialogButton>
      )}
      <Confirm action="Delete" of={toolName} question={`Delete watch of “${toolName}”?`} onConfirm={remove}>
        <p>
          The service stops polling this list. Events that the watch has reported stay in the list of events.
        </p>
      </Confirm>
    </div>
  );
}

const watchColumns = (applicationId: string, onChange: () => void): readonly Column<Watch>[] => [
  { title: 'Watched list', cell: (watch) => <WatchedList {...{ applicationId, watch }} /> },
  { title: 'State', cell: (watch) => <WatchState {...{ applicationId, watch }} /> },
  { title: 'Last poll', cell: ({ polledAt }) => (polledAt ? <Time at={polledAt} /> : 'Never') },
  { title: 'Next poll', cell: ({ nextPollAt }) => (nextPollAt ? <Time at={nextPollAt} /> : 'Not scheduled') },
  ...(mayChange()
    ? [{ title: 'Actions', cell: (watch: Watch) => <WatchActions {...{ applicationId, watch, onChange }} /> }]
    : []),
];

const WEBHOOK_COLUMNS: readonly Column<Subscription>[] = [
  { title: 'Upstream event', cell: ({ trigger }) => trigger },
  { title: 'State', cell: ({ state }) => <StateCell words={SUBSCRIPTIONS[state]} /> },
  { title: 'Last received', cell: ({ receivedAt }) => (receivedAt ? <Time at={receivedAt} /> : 'Never') },
  { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

interface PanelProps<Row> {
  readonly title: string;
  readonly loaded: Loaded<{ readonly items: readonly Row[] }>;
  readonly columns: readonly Column<Row>[];
}

/** Panel with a list. It is absent while the list is empty. */
function ListPanel<Row extends { readonly id: string }>({ title, loaded, columns }: PanelProps<Row>) {
  if (loaded.error === undefined && !loaded.value?.items.length) return null;
  return (
    <section class="panel">
      <h2>{title}</h2>
      <Show of={loaded}>
        {({ items }) => <Table caption={title} columns={columns} rows={items} keyOf={(row) => row.id} />}
      </Show>
    </section>
  );
}

interface UpstreamChangesProps {
  readonly applicationId: string;
  readonly accountId: string;
}

/** Shows the watches and webhooks through which the service detects changes in an account's data at the upstream. */
export function UpstreamChanges({ applicationId, accountId }: UpstreamChangesProps) {
  const watches = useCall(WATCHES, { path: { applicationId }, query: { accountId, pageSize: MOST } });
  const path = { applicationId, id: accountId };
  const webhooks = useCall(WEBHOOKS, { path, query: { pageSize: MOST } });
  useRefresh(watches, REFRESH_MS);
  useRefresh(webhooks, REFRESH_MS);
  return (
    <>
      <ListPanel
        title="Watches of upstream lists"
        loaded={watches}
        columns={watchColumns(applicationId, watches.reload)}
      />
      <ListPanel title="Webhooks from the upstream" loaded={webhooks} columns={WEBHOOK_COLUMNS} />
    </>
  );
}
