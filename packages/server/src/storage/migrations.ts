import type { Migration } from 'kysely/migration';
import { createAgentGrants } from './first-tables/create-agent-grants.js';
import { createApplications } from './first-tables/create-applications.js';
import { createAuditEvents } from './first-tables/create-audit-events.js';
import { createAuthorization } from './first-tables/create-authorization.js';
import { createCallApprovals } from './first-tables/create-call-approvals.js';
import { createClientRegistrations, createConnections } from './first-tables/create-connections.js';
import { createExecutions, createIdempotencyKeys } from './first-tables/create-executions.js';
import { createHeldNames } from './first-tables/create-held-names.js';
import { createNarrowedTokens } from './first-tables/create-narrowed-tokens.js';
import { createOperators } from './first-tables/create-operators.js';
import { createRateBuckets } from './first-tables/create-rate-buckets.js';
import { addApplicationLogos } from './later-tables/add-application-logos.js';
import { ageAuditEvents } from './later-tables/age-audit-events.js';
import { createPasskeys } from './later-tables/create-passkeys.js';
import { createSignInLinks } from './later-tables/create-sign-in-links.js';
import { giveOperatorsRoles } from './later-tables/give-operators-roles.js';
import { linkAnswers } from './later-tables/link-answers.js';
import { orderExecutions } from './later-tables/order-executions.js';
import { tellOperators } from './later-tables/tell-operators.js';
import { vacuumOften } from './later-tables/vacuum-often.js';
import type { DialectKind } from './open-dialect.js';

/** In the order of their names. A released one is never edited. */
export const createMigrations = (kind: DialectKind): Readonly<Record<string, Migration>> => ({
  '001_first_tables': {
    up: async (database) => {
      await createApplications(database);
      await createConnections(database);
      await createClientRegistrations(database);
      await createAuthorization(database);
      await createExecutions(database);
      await createIdempotencyKeys(database);
      await createAuditEvents(database, kind);
      await createOperators(database);
      if (kind === 'postgres') await createHeldNames(database);
    },
  },
  '002_answers_of_accounts': { up: (database) => linkAnswers(database, kind) },
  '003_rate_buckets': {
    up: async (database) => {
      if (kind === 'postgres') await createRateBuckets(database);
    },
  },
  '004_executions_in_order': {
    up: async (database) => {
      if (kind === 'sqlite') await orderExecutions(database);
    },
  },
  '005_ages': { up: (database) => ageAuditEvents(database, kind) },
  '006_vacuum_often': {
    up: async (database) => {
      if (kind === 'postgres') await vacuumOften(database);
    },
  },
  '007_operator_roles': { up: giveOperatorsRoles },
  '008_what_operators_are_told': { up: (database) => tellOperators(database, kind) },
  '009_application_logos': { up: addApplicationLogos },
  '010_sign_in_links': { up: createSignInLinks },
  '011_passkeys': { up: createPasskeys },
  '012_narrowed_tokens': { up: createNarrowedTokens },
  '013_call_approvals': { up: createCallApprovals },
  '014_agent_grants': { up: createAgentGrants },
});
