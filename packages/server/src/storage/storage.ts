import { accessTokensTable } from './access-tokens-table.js';
import { accountListsTable } from './account-lists-table.js';
import { accountUsesTable } from './account-uses-table.js';
import { accountsTable } from './accounts-table.js';
import { agentAccessesTable } from './agent-accesses-table.js';
import { agentClientsTable } from './agent-clients-table.js';
import { agentGrantsTable } from './agent-grants-table.js';
import { agentSignInsTable } from './agent-sign-ins-table.js';
import { applicationOriginsTable } from './application-origins-table.js';
import { applicationsTable } from './applications-table.js';
import { auditEventsTable } from './audit-events-table.js';
import { authorizationFlowsTable } from './authorization-flows-table.js';
import { callApprovalsTable } from './call-approvals-table.js';
import { clientRegistrationsTable } from './client-registrations-table.js';
import { connectionsTable } from './connections-table.js';
import { dataKeysTable } from './data-keys-table.js';
import type { Database } from './database.js';
import { executionStatisticsTable } from './execution-statistics-table.js';
import { executionsTable } from './executions-table.js';
import { freeSpaceTable } from './free-space-table.js';
import { idempotencyKeysTable } from './idempotency-keys-table.js';
import { keptRowsTable } from './kept-rows-table.js';
import { narrowedTokensTable } from './narrowed-tokens-table.js';
import { operatorSessionsTable } from './operator-sessions-table.js';
import { operatorsTable } from './operators-table.js';
import { type OwnApplication, ownRowsOnly } from './own-rows.js';
import { ownedRowsTable } from './owned-rows-table.js';
import { passkeysTable } from './passkeys-table.js';
import { pendingApprovalsTable } from './pending-approvals-table.js';
import { rateBucketsTable } from './rate-buckets-table.js';
import { sealedValuesTable } from './sealed-values-table.js';
import { serverFactsTable } from './server-facts-table.js';
import { settingsTable } from './settings-table.js';
import { signInLinksTable } from './sign-in-links-table.js';
import { sizesTable } from './sizes-table.js';

const createTables = (database: Database) => ({
  settings: settingsTable(database),
  applications: applicationsTable(database),
  applicationOrigins: applicationOriginsTable(database),
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
  accounts: { ...accountsTable(database), ...accountListsTable(database), ...accountUsesTable(database) },
  authorizationFlows: authorizationFlowsTable(database),
  pendingApprovals: pendingApprovalsTable(database),
  callApprovals: callApprovalsTable(database),
  executions: executionsTable(database),
  executionStatistics: executionStatisticsTable(database),
  idempotencyKeys: idempotencyKeysTable(database),
  ownedRows: ownedRowsTable(database),
  rateBuckets: rateBucketsTable(database),
  keptRows: keptRowsTable(database),
  sizes: sizesTable(database),
  serverFacts: serverFactsTable(database),
  freeSpace: freeSpaceTable(database),
  auditEvents: auditEventsTable(database),
  operators: operatorsTable(database),
  operatorSessions: operatorSessionsTable(database),
  signInLinks: signInLinksTable(database),
  passkeys: passkeysTable(database),
});

/** Every query of the service. */
export type Tables = ReturnType<typeof createTables>;

export interface Storage extends Tables {
  /**
   * All of the work or none of it. It may use the tables that it is given and no others, and must not wait for the network.
   * On SQLite, where everything else waits for it, its first query should write.
   */
  transaction<T>(work: (tables: Tables) => Promise<T>): Promise<T>;
}

const nobody: OwnApplication = () => undefined;

export function createStorage(database: Database, ownApplication = nobody): Storage {
  const walled = database.withPlugin(ownRowsOnly(ownApplication));
  return {
    ...createTables(walled),
    transaction: (work) => walled.transaction().execute((transaction) => work(createTables(transaction))),
  };
}
