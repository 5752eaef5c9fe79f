import { type Health, useHealth } from '../../api/health.ts';
import { loadProblems, type Problems } from '../../api/problems.ts';
import { applications } from '../../application-choice.tsx';
import { Copied } from '../../parts/copy.tsx';
import { Fact } from '../../parts/fact.tsx';
import { LIVE_MS, Show, useLoaded, useRefresh } from '../../parts/loaded.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { StateCell } from '../../parts/state.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { hrefOf, PATHS } from '../../paths.ts';
import { healthWords } from '../../words/connections.ts';
import { problemsOf } from '../../words/health.ts';
import { grouped } from '../../words/numbers.ts';
import { FailedWatches } from '../accounts/failed-watches.tsx';
import { TroubledEndpoints } from '../webhooks/troubled-endpoints.tsx';
import { Instances, shortId } from './instances.tsx';
import { sizeOf } from './sizes.ts';

const REFRESH_MS = 10_000;

export function HealthPage() {
  const loaded = useHealth();
  const problems = useLoaded('problems', (signal) => loadProblems(undefined, signal));
  useRefresh(loaded, REFRESH_MS);
  useRefresh(problems, LIVE_MS);
  return (
    <Page
      title="Health"
      about="Problems of the service and its connections, how to fix them, and how long the service keeps data."
      actions={
        <button type="button" disabled={loaded.isLoading} onClick={loaded.reload}>
          {loaded.isLoading ? 'Refreshing…' : 'Refresh'}
        </button>
      }
    >
      <Show of={loaded}>
        {(health) => (
          <div class="stack">
            <Show of={problems}>{(found) => <ProblemList health={health} problems={found} />}</Show>
            <div class="columns">
              <Instance {...health} />
              <Database database={health.database} />
              <Keys rootKey={health.rootKey} dataKeys={health.dataKeys} />
              <ProductionReadiness production={health.production} />
            </div>
            <Instances instances={health.instances} />
            <Retention retention={health.retention} />
          </div>
        )}
      </Show>
    </Page>
  );
}

interface ProblemListProps {
  readonly health: Health;
  readonly problems: Problems;
}

function ProblemList({ health, problems: found }: ProblemListProps) {
  const { connections, slowDatabase, watches, webhookEndpoints } = found;
  const problems = problemsOf({ health, slowDatabase });
  if (problems.length + connections.length + webhookEndpoints.length + watches.length === 0)
    return (
      <Notice tone="good">
        The service has no known problem. Connections whose setup is incomplete are listed on the pages
        Overview and Connections of their application.
      </Notice>
    );
  return (
    <section class="stack" aria-label="Problems">
      {problems.map(({ tone, problem, remedy }) => (
        <Notice key={problem} tone={tone}>
          <p>
            <strong>{problem}</strong>
          </p>
          <p>{remedy}</p>
        </Notice>
      ))}
      {connections.length > 0 && <TroubledConnections connections={connections} />}
      <TroubledEndpoints endpoints={webhookEndpoints} nameOf={nameOf} />
      <FailedWatches watches={watches} nameOf={nameOf} />
    </section>
  );
}

const nameOf = (applicationId: string): string =>
  applications.value?.find(({ id }) => id === applicationId)?.name ?? applicationId;

const CONNECTION_COLUMNS: readonly Column<Problems['connections'][number]>[] = [
  {
    title: 'Connection',
    cell: ({ applicationId, connectionName }) => (
      <a href={hrefOf(PATHS.connection, { applicationId, connectionName })}>{connectionName}</a>
    ),
  },
  { title: 'Application', cell: ({ applicationId }) => nameOf(applicationId) },
  { title: 'State', cell: ({ health }) => <StateCell words={healthWords(health)} /> },
];

const TroubledConnections = ({ connections }: Pick<Problems, 'connections'>) => (
  <section class="stack">
    <h2>Connections that need attention</h2>
    <Table
      caption="Connections that need attention"
      columns={CONNECTION_COLUMNS}
      rows={connections}
      keyOf={({ applicationId, connectionName }) => `${applicationId} ${connectionName}`}
    />
  </section>
);

/** Shows facts about the service process that handled the request. Other instances may have other values. */
const Instance = ({ version, node, startedAt, sandbox, executions, instances: [own, ...others] }: Health) => (
  <section class="panel">
    <h2>Service</h2>
    {own && others.length > 0 && (
      <p class="soft">
        These facts are about the instance <code>{shortId(own)}</code>, which responded to this page. The
        table “Instances” lists all instances.
      </p>
    )}
    <dl class="facts">
      <Fact title="Version">{version}</Fact>
      <Fact title="Node.js">{node}</Fact>
      <Fact title="Started">
        <Time at={startedAt} />
      </Fact>
      <Fact title="Sandbox">
        {sandbox === null ? (
          'Off: connectors call the real upstreams'
        ) : (
          <>
            On, at <code>{sandbox.url}</code>, with emulated upstreams
          </>
        )}
      </Fact>
      <Fact title="Executions since service start">
        {grouped(executions.written)} recorded, {grouped(executions.waiting)} waiting to be recorded,{' '}
        {grouped(executions.dropped)} not recorded
      </Fact>
    </dl>
  </section>
);

const NAMES: Readonly<Record<string, string>> = { sqlite: 'SQLite', postgres: 'PostgreSQL' };

const Database = ({ database: { kind, version, sizeBytes, migrations } }: Pick<Health, 'database'>) => (
  <section class="panel">
    <h2>Database</h2>
    <dl class="facts">
      <Fact title="Type">
        {NAMES[kind] ?? kind} {version}
      </Fact>
      <Fact title="Size">{sizeOf(sizeBytes)}</Fact>
      <Fact title="Migrations">
        {migrations.applied.length} applied, {migrations.pending.length || 'none'} pending
        <details>
          <summary>Show migrations</summary>
          <ul>
            {[...migrations.applied, ...migrations.pending].map((name) => (
              <li key={name}>
                <code>{name}</code>
                {migrations.pending.includes(name) && ': pending'}
              </li>
            ))}
          </ul>
        </details>
      </Fact>
    </dl>
  </section>
);

interface RootKeyWords {
  readonly location: string;
  /** Instruction that is shown above the command that rotates the root key. */
  readonly before: string;
}

const IN_SETTINGS =
  'To replace the root key, set SVC_ROOT_KEY to the new root key and SVC_PREVIOUS_ROOT_KEYS to the current root key, restart the service, then run:';

const ROOT_KEYS: Readonly<Record<Health['rootKey']['kind'], RootKeyWords>> = {
  file: { location: 'in a key file', before: 'To replace the root key in the key file, run:' },
  environment: { location: 'in the setting SVC_ROOT_KEY', before: IN_SETTINGS },
  aws_kms: { location: 'in AWS KMS, which never exports the root key', before: IN_SETTINGS },
  gcp_kms: { location: 'in Google Cloud KMS, which never exports the root key', before: IN_SETTINGS },
};

const Keys = ({ rootKey, dataKeys }: Pick<Health, 'rootKey' | 'dataKeys'>) => (
  <section class="panel">
    <h2>Keys</h2>
    <p class="soft">
      Data keys encrypt the secrets of each application. The root key encrypts the data keys. The database
      never contains the root key.
    </p>
    <dl class="facts">
      <Fact title="Root key">
        <code>{rootKey.id}</code>, {ROOT_KEYS[rootKey.kind].location}
      </Fact>
      <Fact title="Data keys">
        {dataKeys.count}
        {dataKeys.oldestCreatedAt !== undefined && (
          <>
            , oldest created <Time at={dataKeys.oldestCreatedAt} />
          </>
        )}
      </Fact>
    </dl>
    <details>
      <summary>Rotate keys</summary>
      <div class="stack">
        <p>To replace the data keys and re-encrypt all secrets while the service keeps running, run:</p>
        <Copied text="svc-server keys rotate" what="the command that rotates the data keys" />
        <p>{ROOT_KEYS[rootKey.kind].before}</p>
        <Copied text="svc-server keys rotate --root" what="the command that rotates the root key" />
      </div>
    </details>
  </section>
);

const ProductionReadiness = ({ production: { isOn, refused } }: Pick<Health, 'production'>) => (
  <section class="panel">
    <h2>Production readiness</h2>
    {isOn && <p>The service runs with SVC_PRODUCTION=1, which rejects every unsafe configuration.</p>}
    {!isOn && refused.length === 0 && (
      <p>
        The service runs in development mode and is ready for production. Start the service with{' '}
        <code>SVC_PRODUCTION=1</code>.
      </p>
    )}
    {!isOn && refused.length > 0 && (
      <>
        <p>
          The service runs in development mode. Before you start the service with{' '}
          <code>SVC_PRODUCTION=1</code>, fix these problems:
        </p>
        <ul>
          {refused.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </>
    )}
  </section>
);

const isPast = (at: string): boolean => Date.parse(at) <= Date.now();

const COLUMNS: readonly Column<Health['retention'][number]>[] = [
  { title: 'Data', cell: ({ table }) => tableTitle(table) },
  {
    title: 'Rows',
    isNumber: true,
    cell: ({ rows, isEstimated }) => rows !== undefined && `${isEstimated ? '~' : ''}${grouped(rows)}`,
  },
  { title: 'Size', isNumber: true, cell: ({ bytes }) => bytes !== undefined && sizeOf(bytes) },
  {
    title: 'Oldest row',
    cell: ({ oldest }) => oldest !== undefined && isPast(oldest) && <Time at={oldest} />,
  },
  {
    title: 'Deleted automatically',
    cell: ({ retentionDays }) => (retentionDays === 0 ? 'on expiry' : `after ${daysOf(retentionDays)}`),
  },
];

const Retention = ({ retention: tables }: Pick<Health, 'retention'>) => (
  <section class="stack">
    <h2>Data retention</h2>
    <p class="soft">
      The service deletes the data in this table automatically. Set the number of days with
      SVC_KEEP_EXECUTIONS, SVC_KEEP_AUDIT, SVC_KEEP_ENDED and SVC_KEEP_UNUSED. All other data stays until you
      delete it.
      {tables.some(({ rows }) => rows === undefined) && (
        <>
          {' '}
          This page does not count rows, because counting would slow down the database. To count the rows, run{' '}
          <code>svc-server storage</code>.
        </>
      )}
    </p>
    <Table caption="Data retention" columns={COLUMNS} rows={tables} keyOf={({ table }) => table} />
  </section>
);

export const daysOf = (days: number): string => `${grouped(days)} ${days === 1 ? 'day' : 'days'}`;

/** Converts the name of a database table to a title: `audit_events` becomes `Audit events`. */
export const tableTitle = (table: string): string => {
  const words = table.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
