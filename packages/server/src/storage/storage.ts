import { accessTokensTable } from './access-tokens-table.js';
import { accountsTable } from './accounts-table.js';
import { applicationsTable } from './applications-table.js';
import { authorizationFlowsTable } from './authorization-flows-table.js';
import { clientRegistrationsTable } from './client-registrations-table.js';
import { connectionsTable } from './connections-table.js';
import { dataKeysTable } from './data-keys-table.js';
import type { Database } from './database.js';
import { executionsTable } from './executions-table.js';
import { idempotencyKeysTable } from './idempotency-keys-table.js';
import { settingsTable } from './settings-table.js';

/** Every query of the service. */
export const createStorage = (database: Database) => ({
  settings: settingsTable(database),
  applications: applicationsTable(database),
  accessTokens: accessTokensTable(database),
  dataKeys: dataKeysTable(database),
  connections: connectionsTable(database),
  clientRegistrations: clientRegistrationsTable(database),
  accounts: accountsTable(database),
  authorizationFlows: authorizationFlowsTable(database),
  executions: executionsTable(database),
  idempotencyKeys: idempotencyKeysTable(database),
});

export type Storage = ReturnType<typeof createStorage>;
