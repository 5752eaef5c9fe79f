import type { Migration } from 'kysely/migration';
import type { DialectKind } from './dialect.js';
import { createAgentGrants } from './first-tables/create-agent-grants.js';
import { createApplications } from './first-tables/create-applications.js';
import { createAuditEvents } from './first-tables/create-audit-events.js';
import { createAuthorization } from './first-tables/create-authorization.js';
import { createCallApprovals } from './first-tables/create-call-approvals.js';
import { createConnections } from './first-tables/create-connections.js';
import {
  createExecutionStatistics,
  createExecutions,
  createIdempotencyKeys,
} from './first-tables/create-executions.js';
import { createInstanceTables } from './first-tables/create-instance-tables.js';
import { createNarrowedTokens } from './first-tables/create-narrowed-tokens.js';
import { createOperators } from './first-tables/create-operators.js';
import { addColumns } from './fourth-tables/add-columns.js';
import { createEvents } from './second-tables/create-events.js';
import { createWatches } from './second-tables/create-watches.js';
import { createWebhookSubscriptions } from './second-tables/create-webhook-subscriptions.js';
import { createFailedRequests } from './third-tables/create-failed-requests.js';
import { createNamedUsers } from './third-tables/create-named-users.js';

/**
 * Database migrations, sorted by name. A released migration is never changed, because databases have already applied
 * it.
 */
export const createMigrations = (kind: DialectKind): Readonly<Record<string, Migration>> => ({
  '001_first_tables': {
    up: async (database) => {
      await createApplications(database);
      await createConnections(database);
      await createAuthorization(database);
      await createExecutions(database, kind);
      await createExecutionStatistics(database);
      await createIdempotencyKeys(database);
      await createAuditEvents(database, kind);
      await createOperators(database);
      await createNarrowedTokens(database);
      await createCallApprovals(database);
      await createAgentGrants(database);
      if (kind === 'postgres') await createInstanceTables(database);
    },
  },
  '002_events': {
    up: async (database) => {
      await createEvents(database, kind);
      await createWebhookSubscriptions(database);
      await createWatches(database);
    },
  },
  '003_failed_requests': {
    up: async (database) => {
      await createFailedRequests(database, kind);
      await createNamedUsers(database);
    },
  },
  '004_columns': { up: addColumns },
});
