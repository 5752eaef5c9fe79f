import type { FastifyInstance } from 'fastify';
import type { Account } from '../../connections/account.js';
import type { AccountFilter, AccountList } from '../../connections/account-list.js';
import type { Deliveries, Delivery, DeliveryFilter } from '../../events/deliveries.js';
import { closed } from '../../listener/list-schema.js';
import type { Execution, ExecutionFilter, ExecutionLog } from '../../records/execution-log.js';
import { accountFilters } from '../account-schemas.js';
import { deliveryFilters } from '../delivery-routes.js';
import { executionFilters } from '../execution-routes.js';
import { exportResponse, readPages, sendExport } from './export-text.js';

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
  'status',
  'errorCode',
  'upstreamStatus',
  'durationMs',
  'requestId',
  'traceId',
  'serviceVersion',
] as const satisfies readonly (keyof Execution)[];

const ACCOUNT_COLUMNS = [
  'id',
  'identifier',
  'account',
  'connectionName',
  'connector',
  'status',
  'statusReason',
  'createdAt',
  'updatedAt',
  'usedAt',
  'refreshedAt',
  'expiresAt',
] as const satisfies readonly (keyof Account)[];

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
  readonly executionLog: Pick<ExecutionLog, 'list'>;
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
      const rows = readPages((page) => executionLog.list(applicationId, { ...query, ...page }));
      return sendExport(reply, rows, { name: 'executions', columns: EXECUTION_COLUMNS, format: 'csv' });
    },
  );
  app.get<{ Querystring: AccountFilter }>(
    '/accounts/export',
    { schema: accountsSchema },
    async ({ applicationId, query }, reply) => {
      const rows = readPages((page) => accountList.list(applicationId, { ...query, ...page }));
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
