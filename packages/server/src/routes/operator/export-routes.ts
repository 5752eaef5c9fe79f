import type { FastifyInstance } from 'fastify';
import type { Account } from '../../connections/account.js';
import type { AccountList } from '../../connections/account-list.js';
import type { Deliveries, Delivery } from '../../events/deliveries.js';
import type { ExecutionDetails, ExecutionLog } from '../../records/execution-log.js';
import { describeConnectedAs } from '../../text/connected-as.js';
import { accountFilters } from '../account-schemas.js';
import { deliveryFilters } from '../delivery-routes.js';
import { executionFilters } from '../execution-routes.js';
import { addExport, type Cells } from './add-export.js';

/** Columns of executions: one for each fact of the execution page. */
const EXECUTION_COLUMNS = [
  'id',
  'startedAt',
  'accountIdentifier',
  'accountLabel',
  'accountId',
  'connectionName',
  'kind',
  'toolName',
  'method',
  'path',
  'status',
  'errorCode',
  'cause',
  'upstreamStatus',
  'durationMs',
  'count',
  'attempts',
  'refreshed',
  'upstreamMs',
  'waitedMs',
  'pausedMs',
  'requestId',
  'traceId',
  'serviceVersion',
] as const satisfies readonly (keyof ExecutionDetails)[];

/** Writes the cause of a failed execution as one text, such as `reason=circuit_breaker`. */
const toExecutionCells = ({
  cause = {},
  connectedAs: _,
  requests: __,
  ...execution
}: ExecutionDetails): Cells => ({
  ...execution,
  cause: Object.entries(cause)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('; '),
});

const ACCOUNT_COLUMNS = [
  'id',
  'identifier',
  'account',
  'connectionName',
  'connector',
  'connectedAs',
  'status',
  'statusReason',
  'notTested',
  'createdAt',
  'updatedAt',
  'usedAt',
  'refreshedAt',
  'expiresAt',
] as const satisfies readonly (keyof Account)[];

/** Writes the user at the upstream as one text, such as `ada@example.com (Acme)`. */
const toAccountCells = ({ connectedAs, ...account }: Account): Cells => ({
  ...account,
  connectedAs: connectedAs && describeConnectedAs(JSON.stringify(connectedAs)),
});

const DELIVERY_COLUMNS = [
  'id',
  'createdAt',
  'endpointId',
  'eventId',
  'type',
  'accountId',
  'state',
  'attemptCount',
  'nextAttemptAt',
  'endedAt',
] as const satisfies readonly (keyof Delivery)[];

interface ExportParts {
  readonly executionLog: Pick<ExecutionLog, 'listDetails'>;
  readonly accountList: Pick<AccountList, 'list'>;
  readonly deliveries: Pick<Deliveries, 'list'>;
}

/** Adds routes that export lists of one application as CSV. A hook of `app` must authenticate operators. */
export function addExportRoutes(
  app: FastifyInstance,
  { executionLog, accountList, deliveries }: ExportParts,
): void {
  addExport(app, {
    path: '/executions',
    tag: 'executions',
    operation: 'Executions',
    things: 'executions',
    filters: executionFilters,
    read: executionLog.listDetails,
    columns: EXECUTION_COLUMNS,
    toCells: toExecutionCells,
  });
  addExport(app, {
    path: '/accounts',
    tag: 'accounts',
    operation: 'Accounts',
    things: 'accounts',
    filters: accountFilters,
    read: accountList.list,
    columns: ACCOUNT_COLUMNS,
    toCells: toAccountCells,
  });
  addExport(app, {
    path: '/deliveries',
    tag: 'webhooks',
    operation: 'Deliveries',
    things: 'deliveries',
    filters: deliveryFilters,
    read: deliveries.list,
    columns: DELIVERY_COLUMNS,
    toCells: (delivery: Delivery) => ({ ...delivery }),
  });
}
