import type { FastifyInstance } from 'fastify';
import type { Account } from '../../connections/account.js';
import type { AccountFilter, AccountList } from '../../connections/account-list.js';
import type { Deliveries, Delivery, DeliveryFilter } from '../../events/deliveries.js';
import { closed } from '../../listener/list-schema.js';
import type { ExecutionDetails, ExecutionFilter, ExecutionLog } from '../../records/execution-log.js';
import { describeConnectedAs } from '../../text/connected-as.js';
import { accountFilters } from '../account-schemas.js';
import { deliveryFilters } from '../delivery-routes.js';
import { executionFilters } from '../execution-routes.js';
import { exportResponse, readPages, sendExport } from './export-text.js';

/** Execution in an export, with a column for each fact of the execution page. */
type ExportedExecution = Omit<ExecutionDetails, 'cause' | 'connectedAs' | 'requests'> & {
  readonly cause: string;
};

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
] as const satisfies readonly (keyof ExportedExecution)[];

/** Writes the cause of a failed execution as one text, such as `reason=circuit_breaker`. */
const toExecutionRow = ({ cause = {}, ...execution }: ExecutionDetails): ExportedExecution => ({
  ...execution,
  cause: Object.entries(cause)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('; '),
});

async function* convert<Item, Row>(
  items: AsyncIterable<Item>,
  toRow: (item: Item) => Row,
): AsyncIterable<Row> {
  for await (const item of items) yield toRow(item);
}

const ACCOUNT_COLUMNS = [
  'id',
  'identifier',
  'account',
  'connectionName',
  'connector',
  'connectedAs',
  'status',
  'statusReason',
  'createdAt',
  'updatedAt',
  'usedAt',
  'refreshedAt',
  'expiresAt',
] as const satisfies readonly (keyof Account)[];

/** Writes the user at the upstream as one text, such as `ada@example.com (Acme)`. */
const toAccountRow = ({ connectedAs, ...account }: Account) => ({
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

const CSV =
  'The downloaded CSV file has at most 100,000 rows. An apostrophe precedes values that a spreadsheet would run as formulas.';

const executionsSchema = {
  operationId: 'exportExecutions',
  tags: ['executions'],
  summary: 'Download executions as CSV',
  description: CSV,
  querystring: closed(executionFilters, []),
  response: exportResponse(['csv'], 'id,startedAt\r\n'),
};

const accountsSchema = {
  operationId: 'exportAccounts',
  tags: ['accounts'],
  summary: 'Download accounts as CSV',
  description: CSV,
  querystring: closed(accountFilters, []),
  response: exportResponse(['csv'], 'id,identifier\r\n'),
};

const deliveriesSchema = {
  operationId: 'exportDeliveries',
  tags: ['webhooks'],
  summary: 'Download deliveries as CSV',
  description: CSV,
  querystring: closed(deliveryFilters, []),
  response: exportResponse(['csv'], 'id,createdAt\r\n'),
};

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
  app.get<{ Querystring: ExecutionFilter }>(
    '/executions/export',
    { schema: executionsSchema },
    async ({ applicationId, query }, reply) => {
      const found = readPages((page) => executionLog.listDetails(applicationId, { ...query, ...page }));
      const rows = convert(found, toExecutionRow);
      return sendExport(reply, rows, { name: 'executions', columns: EXECUTION_COLUMNS, format: 'csv' });
    },
  );
  app.get<{ Querystring: AccountFilter }>(
    '/accounts/export',
    { schema: accountsSchema },
    async ({ applicationId, query }, reply) => {
      const found = readPages((page) => accountList.list(applicationId, { ...query, ...page }));
      const rows = convert(found, toAccountRow);
      return sendExport(reply, rows, { name: 'accounts', columns: ACCOUNT_COLUMNS, format: 'csv' });
    },
  );
  app.get<{ Querystring: DeliveryFilter }>(
    '/deliveries/export',
    { schema: deliveriesSchema },
    async ({ applicationId, query }, reply) => {
      const rows = readPages((page) => deliveries.list(applicationId, { ...query, ...page }));
      return sendExport(reply, rows, { name: 'deliveries', columns: DELIVERY_COLUMNS, format: 'csv' });
    },
  );
}
