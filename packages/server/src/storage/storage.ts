import { accountCountsTable } from './account-counts-table.js';
import { accountTermsTable } from './account-terms-table.js';
import { accountsTable } from './accounts-table.js';
import { applicationOriginsTable, applicationsTable, idempotencyKeysTable } from './application-tables.js';
import { auditEventsTable } from './audit-events-table.js';
import {
  authorizationFlowsTable,
  authorizationLinksTable,
  pendingConsentsTable,
} from './authorization-tables.js';
import { callApprovalsTable } from './call-approvals-table.js';
import { clientRegistrationsTable, connectionsTable } from './connection-tables.js';
import { createEventTables } from './create-event-tables.js';
import { createServiceTables } from './create-service-tables.js';
import { executionStatisticsTable } from './execution-statistics-table.js';
import { executionsTable } from './executions-table.js';
import { failedRequestsTable } from './failed-requests-table.js';
import {
  agentAccessesTable,
  agentClientsTable,
  agentGrantsTable,
  agentSignInsTable,
} from './grant-tables.js';
import { namedUsersTable } from './named-users-table.js';
import { operatorSessionsTable, operatorsTable, passkeysTable, signInLinksTable } from './operator-tables.js';
import { type CurrentApplication, refuseForeignRows } from './refuse-foreign-rows.js';
import type { Database } from './schema.js';
import { accessTokensTable, narrowedTokensTable } from './token-tables.js';
import { dataKeysTable, sealedValuesTable } from './vault-tables.js';

/**
 * All queries of the service, grouped by table. A file with several tables is named after the folder that uses them,
 * such as `operator-tables.ts` for `operators/`. `create-event-tables.ts` and `create-service-tables.ts` contain no
 * queries. They continue this list, because a file may import at most 20 files.
 */
const createTables = (database: Database) => ({
  ...createServiceTables(database),
  ...createEventTables(database),
  applications: applicationsTable(database),
  applicationOrigins: applicationOriginsTable(database),
  idempotencyKeys: idempotencyKeysTable(database),
  accessTokens: accessTokensTable(database),
  narrowedTokens: narrowedTokensTable(database),
  agentAccesses: agentAccessesTable(database),
  agentClients: agentClientsTable(database),
  agentSignIns: agentSignInsTable(database),
  agentGrants: agentGrantsTable(database),
  dataKeys: dataKeysTable(database),
  sealedValues: sealedValuesTable(database),
  connections: connectionsTable(database),
  clientRegistrations: clientRegistrationsTable(database),
  accounts: accountsTable(database),
  accountCounts: accountCountsTable(database),
  accountTerms: accountTermsTable(database),
  authorizationLinks: authorizationLinksTable(database),
  authorizationFlows: authorizationFlowsTable(database),
  pendingConsents: pendingConsentsTable(database),
  callApprovals: callApprovalsTable(database),
  executions: executionsTable(database),
  executionStatistics: executionStatisticsTable(database),
  failedRequests: failedRequestsTable(database),
  namedUsers: namedUsersTable(database),
  auditEvents: auditEventsTable(database),
  operators: operatorsTable(database),
  operatorSessions: operatorSessionsTable(database),
  signInLinks: signInLinksTable(database),
  passkeys: passkeysTable(database),
});

export type Tables = ReturnType<typeof createTables>;

export interface Storage extends Tables {
  /**
   * Runs `work` in a transaction: either all its writes are stored or none. `work` must use only the tables that it
   * gets, and must not wait for the network. Its first query should be a write. Read other data before the transaction,
   * because on SQLite all other queries wait until the transaction ends.
   */
  transaction<T>(work: (tables: Tables) => Promise<T>): Promise<T>;
}

const noApplication: CurrentApplication = () => undefined;

export function createStorage(database: Database, currentApplication = noApplication): Storage {
  const walled = database.withPlugin(refuseForeignRows(currentApplication));
  return {
    ...createTables(walled),
    transaction: (work) => walled.transaction().execute((transaction) => work(createTables(transaction))),
  };
}
