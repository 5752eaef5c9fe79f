import { type Health, useHealth } from '../../api/health.ts';
import { Copied } from '../../parts/copy.tsx';
import { Fact } from '../../parts/fact.tsx';
import { Show } from '../../parts/loaded.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { problemsOf } from '../../words/health.ts';
import { grouped } from '../../words/numbers.ts';

/** The state of the service: problems first, then its parts. */
export function HealthPage() {
  const loaded = useHealth();
  return (
    <Page
      title="Health"
      about="How the service fares, what it keeps for how long, and what to do where something is wrong."
      actions={
        <button type="button" disabled={loaded.isLoading} onClick={loaded.reload}>
          {loaded.isLoading ? 'Looking…' : 'Look again'}
        </button>
      }
    >
      <Show of={loaded}>
        {(health) => (
          <div class="stack">
            <Problems health={health} />
            <div class="columns">
              <Instance {...health} />
              <Database database={health.database} />
              <KeysOfService rootKey={health.rootKey} dataKeys={health.dataKeys} />
              <ProductionReadiness production={health.production} />
            </div>
            <KeptTables kept={health.kept} />
          </div>
        )}
      </Show>
    </Page>
  );
}

function Problems({ health }: { readonly health: Health }) {
  const problems = problemsOf(health);
  if (problems.length === 0) return <Notice tone="good">Nothing is wrong with the service.</Notice>;
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
    </section>
  );
}

/** The process that answered. */
const Instance = ({ version, node, startedAt, sandbox, executions }: Health) => (
  <section class="panel">
    <h2>Service</h2>
    <dl class="facts">
      <Fact title="Version">{version}</Fact>
      <Fact title="Node.js">{node}</Fact>
      <Fact title="Started">
        <Time at={startedAt} />
      </Fact>
      <Fact title="Sandbox">
        {sandbox === null ? (
          'Off: the connectors reach the real services'
        ) : (
          <>
            On, at <code>{sandbox.url}</code>: its services are emulated
          </>
        )}
      </Fact>
      <Fact title="Executions since the start">
        {grouped(executions.written)} recorded, {grouped(executions.waiting)} waiting,{' '}
        {grouped(executions.dropped)} lost
      </Fact>
    </dl>
  </section>
);

const NAMES: Readonly<Record<string, string>> = { sqlite: 'SQLite', postgres: 'PostgreSQL' };

const Database = ({ database: { kind, version, sizeBytes, migrations } }: Pick<Health, 'database'>) => (
  <section class="panel">
    <h2>Database</h2>
    <dl class="facts">
      <Fact title="Kind">
        {NAMES[kind] ?? kind} {version}
      </Fact>
      <Fact title="Size">{sizeOf(sizeBytes)}</Fact>
      <Fact title="Migrations">
        {migrations.applied.length} applied, {migrations.pending.length || 'none'} pending
        <details>
          <summary>Which</summary>
          <ul>
            {migrations.applied.map((name) => (
              <li key={name}>
                <code>{name}</code>
              </li>
            ))}
            {migrations.pending.map((name) => (
              <li key={name}>
                <code>{name}</code>: pending
              </li>
            ))}
          </ul>
        </details>
      </Fact>
    </dl>
  </section>
);

interface RootKeyWords {
  readonly where: string;
  /** The step before the command that changes the key. */
  readonly before: string;
}

const IN_SETTINGS =
  'Set SVC_ROOT_KEY to the new one and SVC_PREVIOUS_ROOT_KEYS to this one, restart the service, and then run:';

const ROOT_KEYS: Readonly<Record<Health['rootKey']['kind'], RootKeyWords>> = {
  file: { where: 'in a key file', before: 'The key file gets a new one, and the old one goes, by:' },
  environment: { where: 'in the setting SVC_ROOT_KEY', before: IN_SETTINGS },
  aws_kms: { where: 'in AWS KMS, which never gives it away', before: IN_SETTINGS },
  gcp_kms: { where: 'in Google Cloud KMS, which never gives it away', before: IN_SETTINGS },
};

/** The keys that encrypt the secrets of users. */
const KeysOfService = ({ rootKey, dataKeys }: Pick<Health, 'rootKey' | 'dataKeys'>) => (
  <section class="panel">
    <h2>Keys</h2>
    <p class="soft">
      Every application has data keys, which encrypt its secrets; the root key wraps those, and is never in
      the database.
    </p>
    <dl class="facts">
      <Fact title="Root key">
        <code>{rootKey.id}</code>, {ROOT_KEYS[rootKey.kind].where}
      </Fact>
      <Fact title="Data keys">
        {dataKeys.count}
        {dataKeys.oldestCreatedAt !== undefined && (
          <>
            , the oldest made <Time at={dataKeys.oldestCreatedAt} />
          </>
        )}
      </Fact>
    </dl>
    <details>
      <summary>Change the keys</summary>
      <div class="stack">
        <p>Data keys: everything is encrypted anew, while the service runs on.</p>
        <Copied text="svc-server keys rotate" what="the command that rotates the data keys" />
        <p>Root key: {ROOT_KEYS[rootKey.kind].before}</p>
        <Copied text="svc-server keys rotate --root" what="the command that rotates the root key" />
      </div>
    </details>
  </section>
);

/** Tells whether the service would start in production. */
const ProductionReadiness = ({ production: { isOn, refused } }: Pick<Health, 'production'>) => (
  <section class="panel">
    <h2>For real users</h2>
    {isOn && (
      <p>The service runs with SVC_PRODUCTION=1, which refuses every set-up that is not safe for them.</p>
    )}
    {!isOn && refused.length === 0 && (
      <p>
        The service runs for development. Nothing is in the way: start it with <code>SVC_PRODUCTION=1</code>.
      </p>
    )}
    {!isOn && refused.length > 0 && (
      <>
        <p>
          The service runs for development. With <code>SVC_PRODUCTION=1</code> it would refuse to start, for:
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

const COLUMNS: readonly Column<Health['kept'][number]>[] = [
  { title: 'What', cell: ({ what }) => kindOf(what) },
  {
    title: 'Rows',
    isNumber: true,
    cell: ({ rows, isEstimated }) => rows !== undefined && `${isEstimated ? '~' : ''}${grouped(rows)}`,
  },
  { title: 'Size', isNumber: true, cell: ({ bytes }) => bytes !== undefined && sizeOf(bytes) },
  { title: 'Oldest', cell: ({ oldest }) => oldest !== undefined && isPast(oldest) && <Time at={oldest} /> },
  {
    title: 'Goes',
    cell: ({ keptForDays }) =>
      keptForDays === 0 ? 'as soon as it has ended' : `after ${daysOf(keptForDays)}`,
  },
];

/** The tables with their sizes and retention times. */
const KeptTables = ({ kept }: Pick<Health, 'kept'>) => (
  <section class="stack">
    <h2>What is kept, and for how long</h2>
    <p class="soft">
      What is older goes by itself; the settings SVC_KEEP_EXECUTIONS, SVC_KEEP_AUDIT, SVC_KEEP_ENDED and
      SVC_KEEP_UNUSED say after how many days. Everything else stays until somebody deletes it.
      {kept.some(({ rows }) => rows === undefined) && (
        <>
          {' '}
          Counting these tables would keep others waiting: <code>svc-server storage</code> does it.
        </>
      )}
    </p>
    <Table caption="What goes by itself" columns={COLUMNS} rows={kept} keyOf={({ what }) => what} />
  </section>
);

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** A size as people read it. */
export function sizeOf(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${UNITS[power]}`;
}

export const daysOf = (days: number): string => `${grouped(days)} ${days === 1 ? 'day' : 'days'}`;

/** `audit_events` as people say it. */
export const kindOf = (table: string): string => {
  const said = table.replaceAll('_', ' ');
  return said.charAt(0).toUpperCase() + said.slice(1);
};
