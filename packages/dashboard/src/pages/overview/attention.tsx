import { type Answer, call } from '../../api/call.ts';
import type { Loaded } from '../../api/use-loaded.ts';
import { Show } from '../../parts/show.tsx';
import { StateCell } from '../../parts/state.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { hrefOf, PATHS } from '../../paths.ts';
import { grouped } from '../../words/numbers.ts';
import { ACCOUNT_STATUSES, type AccountStatus, connectionWords } from '../../words/states.ts';
import { accountsHref } from '../connections/account-summary.tsx';

type Connection = Answer<'GET /operator/v1/applications/{applicationId}/connections'>['items'][number];

type ConnectionSummary =
  Answer<'GET /operator/v1/applications/{applicationId}/connection-summaries'>['items'][number];

interface AttentionProps {
  readonly applicationId: string;
  /** The first ones. */
  readonly connections: readonly Connection[];
  /** How many accounts they have in each state. */
  readonly summaries: Loaded<readonly ConnectionSummary[]>;
}

interface Row {
  readonly connection: Connection;
  readonly accounts: ConnectionSummary['accounts'];
}

// Further connections have their counts on their own pages.
const LOOKED_AT = 20;
const BROKEN: readonly AccountStatus[] = ['reauthorization_required', 'pending_verification'];

const needsAttention = ({ connection, accounts }: Row): boolean =>
  connectionWords(connection).tone === 'bad' || BROKEN.some((status) => accounts[status] > 0);

/** The counts of the first connections. */
export async function loadSummaries(
  applicationId: string,
  signal: AbortSignal,
): Promise<readonly ConnectionSummary[]> {
  const { items } = await call(
    'GET /operator/v1/applications/{applicationId}/connection-summaries',
    { path: { applicationId }, query: { pageSize: LOOKED_AT } },
    { signal },
  );
  return items;
}

function rowsOf(connections: readonly Connection[], summaries: readonly ConnectionSummary[]): readonly Row[] {
  return summaries.flatMap(({ connectionName, accounts }) => {
    const connection = connections.find((each) => each.connectionName === connectionName);
    return connection ? [{ connection, accounts }] : [];
  });
}

const columnsOf = (applicationId: string): readonly Column<Row>[] => [
  {
    title: 'Connection',
    cell: ({ connection: { connectionName } }) => (
      <a href={hrefOf(PATHS.connection, { applicationId, connectionName })}>{connectionName}</a>
    ),
  },
  { title: 'State', cell: ({ connection }) => <StateCell words={connectionWords(connection)} /> },
  ...BROKEN.map(
    (status): Column<Row> => ({
      title: ACCOUNT_STATUSES[status],
      isNumber: true,
      cell: ({ connection: { connectionName }, accounts }) =>
        accounts[status] === 0 ? (
          0
        ) : (
          <a href={accountsHref({ applicationId, connectionName }, status)}>{grouped(accounts[status])}</a>
        ),
    }),
  ),
];

/** The connections and accounts that somebody has to do something about. */
export function Attention({ applicationId, connections, summaries }: AttentionProps) {
  return (
    <section class="panel" aria-labelledby="attention">
      <h2 id="attention">Needs attention</h2>
      <Show of={summaries}>
        {(all) => {
          const broken = rowsOf(connections, all).filter(needsAttention);
          return broken.length === 0 ? (
            <p class="soft">Nothing: every account that was connected still is.</p>
          ) : (
            <Table
              caption="Connections that need attention"
              columns={columnsOf(applicationId)}
              rows={broken}
              keyOf={({ connection }) => connection.id}
            />
          );
        }}
      </Show>
    </section>
  );
}
