import type { Migration } from 'kysely/migration';
import type { DialectKind } from './dialect.js';
import { createAgentGrants } from './migrations/001-first-tables/create-agent-grants.js';
import { createApplications } from './migrations/001-first-tables/create-applications.js';
import { createAuditEvents } from './migrations/001-first-tables/create-audit-events.js';
import { createAuthorization } from './migrations/001-first-tables/create-authorization.js';
import { createCallApprovals } from './migrations/001-first-tables/create-call-approvals.js';
import { createConnections } from './migrations/001-first-tables/create-connections.js';
import {
  createExecutionStatistics,
  createExecutions,
  createIdempotencyKeys,
} from './migrations/001-first-tables/create-executions.js';
import { createInstanceTables } from './migrations/001-first-tables/create-instance-tables.js';
import { createNarrowedTokens } from './migrations/001-first-tables/create-narrowed-tokens.js';
import { createOperators } from './migrations/001-first-tables/create-operators.js';
import { createEvents } from './migrations/002-events/create-events.js';
import { createWatches } from './migrations/002-events/create-watches.js';
import { createWebhookSubscriptions } from './migrations/002-events/create-webhook-subscriptions.js';
import { createFailedRequests } from './migrations/003-failed-requests/create-failed-requests.js';
import { createNamedUsers } from './migrations/003-failed-requests/create-named-users.js';
import { addColumns } from './migrations/004-add-columns.js';
import { addEndpointConnection } from './migrations/005-endpoint-connection.js';

/**
 * Database migrations, sorted by name. A released migration must never be changed, because databases have already
 * applied it.
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
  '005_endpoint_connection': { up: addEndpointConnection },
});
