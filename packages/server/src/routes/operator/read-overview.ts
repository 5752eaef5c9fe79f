import type { Application } from '../../applications/application.js';
import type { Applications } from '../../applications/applications.js';
import type { Account } from '../../connections/account.js';
import type { Accounts } from '../../connections/accounts.js';
import type { Connection } from '../../connections/connection.js';
import type { ConnectionSummary, Connections } from '../../connections/connections.js';
import type { ExecutionLog } from '../../records/execution-log.js';
import type { StatisticsPoint } from '../../records/execution-statistics.js';

interface ReadOverviewParts {
  readonly applications: Pick<Applications, 'list'>;
  readonly connections: Pick<Connections, 'list' | 'summaries'>;
  readonly accounts: Pick<Accounts, 'list'>;
  readonly executionLog: Pick<ExecutionLog, 'list' | 'statistics'>;
  readonly now: () => number;
}

/** The last 24 hours; only time steps with calls. */
interface Day {
  readonly from: string;
  readonly to: string;
  readonly points: readonly StatisticsPoint[];
}

interface ApplicationOverview {
  readonly id: string;
  /** The first 20. */
  readonly connections: readonly (Connection & ConnectionSummary)[];
  /** One authorized account; absent if there is none. */
  readonly account?: Account;
  readonly hasCalled: boolean;
  readonly day: Day;
}

interface Overview {
  /** The first 200. */
  readonly applications: readonly Application[];
  /** The requested application if it is listed, otherwise the first one; absent if there is none. */
  readonly application?: ApplicationOverview;
}

const MOST_APPLICATIONS = 200;
const MOST_CONNECTIONS = 20;
const DAY_MS = 86_400_000;

/** Reads the data that the dashboard loads first, in one request: further requests cost a browser more time than the database. */
export function createReadOverview({
  applications,
  connections,
  accounts,
  executionLog,
  now,
}: ReadOverviewParts) {
  async function readConnections(applicationId: string): Promise<ApplicationOverview['connections']> {
    const page = { pageSize: MOST_CONNECTIONS };
    const [listed, summaries] = await Promise.all([
      connections.list(applicationId, page),
      connections.summaries(applicationId, page),
    ]);
    const byName = new Map(summaries.items.map((summary) => [summary.connectionName, summary]));
    return listed.items.flatMap((connection) => {
      const summary = byName.get(connection.connectionName);
      return summary ? [{ ...connection, ...summary }] : [];
    });
  }

  async function readDay(applicationId: string): Promise<Day> {
    const to = now();
    const span = { from: new Date(to - DAY_MS).toISOString(), to: new Date(to).toISOString() };
    const { points } = await executionLog.statistics(applicationId, span);
    return { ...span, points: points.filter(({ calls }) => calls > 0) };
  }

  async function readOne(id: string): Promise<ApplicationOverview> {
    const [found, authorized, executions, day] = await Promise.all([
      readConnections(id),
      accounts.list(id, { status: 'authorized', pageSize: 1 }),
      executionLog.list(id, { pageSize: 1 }),
      readDay(id),
    ]);
    const [account] = authorized.items;
    return {
      id,
      connections: found,
      ...(account && { account }),
      hasCalled: executions.items.length > 0,
      day,
    };
  }

  return async function readOverview(applicationId: string | undefined): Promise<Overview> {
    const { items } = await applications.list({ pageSize: MOST_APPLICATIONS });
    const chosen = items.find(({ id }) => id === applicationId) ?? items[0];
    return { applications: items, ...(chosen && { application: await readOne(chosen.id) }) };
  };
}

export type ReadOverview = ReturnType<typeof createReadOverview>;
