import type { Applications } from '../../applications/applications.js';
import type { AccountList } from '../../connections/account-list.js';
import type { Connections } from '../../connections/connections.js';
import type { HealthModel } from '../../health/health.js';
import type { ExecutionLog } from '../../records/execution-log.js';

interface ReadOverviewParts {
  readonly applications: Pick<Applications, 'list'>;
  readonly connections: Pick<Connections, 'list' | 'summaries'>;
  readonly accountList: Pick<AccountList, 'list'>;
  readonly executionLog: Pick<ExecutionLog, 'list' | 'statistics'>;
  readonly health: Pick<HealthModel, 'addTo' | 'readProblems'>;
  readonly now: () => number;
}

const MAX_APPLICATIONS = 200;
const MAX_CONNECTIONS = 20;
const DAY_MS = 86_400_000;

/**
 * Creates the function that reads all data for the first view of the dashboard in one request. Several requests from
 * the browser would take longer than the database queries.
 */
export function createReadOverview({
  applications,
  connections,
  accountList,
  executionLog,
  health,
  now,
}: ReadOverviewParts) {
  async function readConnections(applicationId: string) {
    const page = { pageSize: MAX_CONNECTIONS };
    const [listed, summaries] = await Promise.all([
      connections.list(applicationId, page),
      connections.summaries(applicationId, page),
    ]);
    const byName = new Map(summaries.items.map((summary) => [summary.connectionName, summary]));
    const withHealth = await health.addTo(applicationId, listed.items);
    return withHealth.flatMap((connection) => {
      const summary = byName.get(connection.connectionName);
      return summary ? [{ ...connection, ...summary }] : [];
    });
  }

  /** Reads the call statistics of the last 24 hours. Time steps without calls are omitted. */
  async function readDay(applicationId: string) {
    const to = now();
    const span = { from: new Date(to - DAY_MS).toISOString(), to: new Date(to).toISOString() };
    const { points } = await executionLog.statistics(applicationId, span);
    return { ...span, points: points.filter(({ calls }) => calls > 0) };
  }

  /**
   * Reads the overview of one application. The returned `account` is any one of its authorized accounts, and absent if
   * the application has none.
   */
  async function readOne(id: string) {
    const [connections, authorized, executions, day, problems] = await Promise.all([
      readConnections(id),
      accountList.list(id, { status: 'authorized', pageSize: 1 }),
      executionLog.list(id, { pageSize: 1 }),
      readDay(id),
      health.readProblems(id),
    ]);
    const [account] = authorized.items;
    return {
      id,
      connections,
      ...(account && { account }),
      hasCalled: executions.items.length > 0,
      day,
      problems,
    };
  }

  /**
   * Lists the applications and reads the overview of the requested application. If the list does not contain that
   * application, reads the overview of the first application.
   */
  return async function readOverview(applicationId: string | undefined) {
    const { items } = await applications.list({ pageSize: MAX_APPLICATIONS });
    const chosen = items.find(({ id }) => id === applicationId) ?? items[0];
    return { applications: items, ...(chosen && { application: await readOne(chosen.id) }) };
  };
}

export type ReadOverview = ReturnType<typeof createReadOverview>;
