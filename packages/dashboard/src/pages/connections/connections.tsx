import { useLocation, useRoute } from 'preact-iso';
import { call, type RequestOf } from '../../api/call.ts';
import { type Connector, withConnectors } from '../../api/catalogue.ts';
import { mayChange } from '../../api/session.ts';
import { Empty } from '../../parts/empty.tsx';
import { LIVE_MS } from '../../parts/loaded.tsx';
import { Logo } from '../../parts/logo.tsx';
import { Page } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { StateCell } from '../../parts/state.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { hrefOf, PATHS, withQuery } from '../../paths.ts';
import { connectionWords } from '../../words/connections.ts';
import { authWords } from '../../words/states.ts';
import type { Connection } from './settings.ts';

interface Row {
  readonly connection: Connection;
  readonly connector: Connector | undefined;
}

const COUNT = 'GET /operator/v1/applications/{applicationId}/connections/count';
const LIST = 'GET /operator/v1/applications/{applicationId}/connections';

async function loadRows(request: RequestOf<typeof LIST>, signal: AbortSignal) {
  const { value, connectorOf } = await withConnectors(call(LIST, request, { signal }));
  const rows = value.items.map(
    (connection): Row => ({ connection, connector: connectorOf(connection.connector) }),
  );
  return { ...value, items: rows };
}

const columnsOf = (applicationId: string): readonly Column<Row>[] => [
  {
    title: 'Connection',
    value: ({ connection }) => connection.connectionName,
    cell: ({ connection: { connectionName }, connector }) => (
      <span class="named">
        <Logo svg={connector?.logo} />
        <span>
          <a href={hrefOf(PATHS.connection, { applicationId, connectionName })}>{connectionName}</a>
          <span class="soft">{connector?.title}</span>
        </span>
      </span>
    ),
  },
  {
    title: 'Status',
    value: ({ connection }) => connectionWords(connection).title,
    cell: ({ connection }) => <StateCell words={connectionWords(connection)} />,
  },
  {
    title: 'How users connect',
    value: ({ connection }) => authWords(connection.authType),
    cell: ({ connection }) => authWords(connection.authType),
  },
  {
    title: 'Accounts',
    cell: ({ connection: { connectionName } }) => (
      <a href={withQuery(hrefOf(PATHS.accounts, { applicationId }), { connectionName })}>
        Show<span class="hidden"> the accounts of {connectionName}</span>
      </a>
    ),
  },
  {
    title: 'Last changed',
    value: ({ connection }) => connection.updatedAt,
    cell: ({ connection }) => <Time at={connection.updatedAt} />,
  },
];

const Create = ({ applicationId }: { readonly applicationId: string }) => (
  <a class="button primary" href={hrefOf(PATHS.newConnection, { applicationId })}>
    Create connection
  </a>
);

export function Connections() {
  const { applicationId = '' } = useRoute().params;
  const { path } = useLocation();
  return (
    <Page
      title="Connections"
      about="Upstream services that your users can connect. Your code refers to a connection by its name."
      actions={mayChange() && <Create applicationId={applicationId} />}
    >
      <PagedTable
        caption="Connections"
        columns={columnsOf(applicationId)}
        keyOf={({ connection }) => connection.id}
        of={path}
        refreshMs={LIVE_MS}
        load={(page, signal) =>
          loadRows({ path: { applicationId }, query: { pageSize: 200, ...page } }, signal)
        }
        loadCount={(signal) => call(COUNT, { path: { applicationId } }, { signal })}
        csvName="connections"
        empty={
          <Empty text="No connections yet. Create the first connection.">
            {mayChange() && <Create applicationId={applicationId} />}
          </Empty>
        }
      />
    </Page>
  );
}
