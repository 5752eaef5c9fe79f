import type { ApplicationOverview } from '../../api/overview.ts';
import type { Problems } from '../../api/problems.ts';
import { StateCell } from '../../parts/state.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { hrefOf, PATHS } from '../../paths.ts';
import {
  type ConnectionHealth,
  healthWords,
  noProblemWords,
  untestedWords,
} from '../../words/connections.ts';
import { grouped } from '../../words/numbers.ts';
import { ACCOUNT_STATUSES, type AccountStatus } from '../../words/states.ts';
import { accountsHref } from '../connections/account-summary.tsx';

type Connection = ApplicationOverview['connections'][number];

interface AttentionProps {
  readonly applicationId: string;
  readonly connections: readonly Connection[];
  readonly problems: Problems['connections'];
}

interface Row {
  readonly connectionName: string;
  readonly health: ConnectionHealth;
  /** Numbers of the connection's accounts by status. Absent if these numbers are not loaded. */
  readonly accounts?: Connection['accounts'];
}

const BROKEN: readonly AccountStatus[] = ['reauthorization_required', 'pending_verification'];

const WORKING: ConnectionHealth = { state: 'working' };

/**
 * Lists the connections that need attention: first those that do not work, then working ones whose accounts need
 * attention.
 */
function rowsOf({ connections, problems }: AttentionProps): readonly Row[] {
  const accountsOf = (name: string) =>
    connections.find(({ connectionName }) => connectionName === name)?.accounts;
  const troubled = problems.map(({ connectionName, health }): Row => {
    const accounts = accountsOf(connectionName);
    return { connectionName, health, ...(accounts && { accounts }) };
  });
  const names = new Set(troubled.map(({ connectionName }) => connectionName));
  const others = connections
    .filter(({ connectionName }) => !names.has(connectionName))
    .filter(({ accounts }) => BROKEN.some((status) => accounts[status] > 0))
    .map(({ connectionName, accounts, health }): Row => {
      // Shows a tested connection as working, because the list of problems is newer than `health` and does not contain
      // the connection.
      const isUntested = health.state === 'not_tested';
      return { connectionName, accounts, health: isUntested ? health : WORKING };
    });
  return [...troubled, ...others];
}

const columnsOf = (applicationId: string): readonly Column<Row>[] => [
  {
    title: 'Connection',
    cell: ({ connectionName }) => (
      <a href={hrefOf(PATHS.connection, { applicationId, connectionName })}>{connectionName}</a>
    ),
  },
  { title: 'State', cell: ({ health }) => <StateCell words={healthWords(health)} /> },
  ...BROKEN.map(
    (status): Column<Row> => ({
      title: ACCOUNT_STATUSES[status],
      isNumber: true,
      cell: ({ connectionName, accounts }) => {
        const count = accounts?.[status] ?? 0;
        const href = accountsHref({ applicationId, connectionName }, status);
        return count === 0 ? 0 : <a href={href}>{grouped(count)}</a>;
      },
    }),
  ),
];

function NoProblem({ applicationId, connections }: Omit<AttentionProps, 'problems'>) {
  const untested = untestedWords(connections);
  return (
    <p class="soft">
      {noProblemWords(connections)}
      {untested !== undefined && (
        <>
          {` ${untested} `}
          <a href={hrefOf(PATHS.connections, { applicationId })}>Show connections</a>
        </>
      )}
    </p>
  );
}

export function Attention(props: AttentionProps) {
  const rows = rowsOf(props);
  return (
    <section class="panel" aria-labelledby="attention">
      <h2 id="attention">Needs attention</h2>
      {rows.length === 0 ? (
        <NoProblem applicationId={props.applicationId} connections={props.connections} />
      ) : (
        <Table
          caption="Connections that need attention"
          columns={columnsOf(props.applicationId)}
          rows={rows}
          keyOf={({ connectionName }) => connectionName}
        />
      )}
    </section>
  );
}
