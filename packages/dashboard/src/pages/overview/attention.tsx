import type { ApplicationOverview } from '../../api/overview.ts';
import { StateCell } from '../../parts/state.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { hrefOf, PATHS } from '../../paths.ts';
import { grouped } from '../../words/numbers.ts';
import { ACCOUNT_STATUSES, type AccountStatus, connectionWords } from '../../words/states.ts';
import { accountsHref } from '../connections/account-summary.tsx';

type Connection = ApplicationOverview['connections'][number];

interface AttentionProps {
  readonly applicationId: string;
  readonly connections: readonly Connection[];
}

const BROKEN: readonly AccountStatus[] = ['reauthorization_required', 'pending_verification'];

const needsAttention = (connection: Connection): boolean =>
  connectionWords(connection).tone === 'bad' || BROKEN.some((status) => connection.accounts[status] > 0);

const columnsOf = (applicationId: string): readonly Column<Connection>[] => [
  {
    title: 'Connection',
    cell: ({ connectionName }) => (
      <a href={hrefOf(PATHS.connection, { applicationId, connectionName })}>{connectionName}</a>
    ),
  },
  { title: 'State', cell: (connection) => <StateCell words={connectionWords(connection)} /> },
  ...BROKEN.map(
    (status): Column<Connection> => ({
      title: ACCOUNT_STATUSES[status],
      isNumber: true,
      cell: ({ connectionName, accounts }) =>
        accounts[status] === 0 ? (
          0
        ) : (
          <a href={accountsHref({ applicationId, connectionName }, status)}>{grouped(accounts[status])}</a>
        ),
    }),
  ),
];

export function Attention({ applicationId, connections }: AttentionProps) {
  const broken = connections.filter(needsAttention);
  return (
    <section class="panel" aria-labelledby="attention">
      <h2 id="attention">Needs attention</h2>
      {broken.length === 0 ? (
        <p class="soft">All connections and connected accounts work.</p>
      ) : (
        <Table
          caption="Connections that need attention"
          columns={columnsOf(applicationId)}
          rows={broken}
          keyOf={({ id }) => id}
        />
      )}
    </section>
  );
}
