import { SESSION_IDLE_MS } from './operator-tables.js';

/** Names of the retention periods that operators can set, in days. The settings are in `config/settings.ts`. */
export type AgeName = 'executions' | 'audit' | 'ended' | 'unused';

interface RetentionRule {
  /** Name of the expiring rows, for messages and reports to operators. */
  readonly name: string;
  readonly table: string;
  /** Setting with the retention period of the rows. Absent if the period is fixed. */
  readonly age?: AgeName;
  /** Maximum number of expired rows that one statement deletes. It is smaller for tables with large rows. */
  readonly sliceSize: number;
}

/** Retention rule for a table whose rows an index sorts by age, so that the oldest rows are found quickly. */
export interface IndexedRule extends RetentionRule {
  readonly time: string;
  readonly index: string;
  /** Time in milliseconds to add to the rows' column `time`. The retention period starts at the sum. */
  readonly afterMs?: number;
  /**
   * True if new rows of the table are never older than deleted rows. The next deletion then continues where the last
   * one stopped.
   */
  readonly isAppended?: true;
}

/**
 * Retention rule for a table whose rows often change their time, or are still referenced by other rows. All rows are
 * scanned in the order of their keys.
 */
export interface ScannedRule extends RetentionRule {
  readonly time: string;
  readonly key: string;
  readonly afterMs?: number;
  /**
   * Tables that keep a row from expiring. A row is kept while one of these tables contains a row that meets the SQL
   * condition `by`.
   */
  readonly references?: readonly { readonly table: string; readonly by: string }[];
  /** Kind of database that contains the table. Absent if both SQLite and PostgreSQL contain it. */
  readonly onlyOn?: 'postgres';
}

const SAME_REGISTRATION = ['application_id', 'connection_id', 'issuer']
  .map((column) => `named.${column} = client_registrations.${column}`)
  .join(' and ');

/**
 * Retention rules of tables whose rows an index sorts by age, with two exceptions. Executions are deleted per
 * application (`EXECUTION_RULE`). Pending consents are deleted by pending-consents.ts, because their tokens must be
 * revoked first.
 */
export const INDEXED_RULES: readonly IndexedRule[] = [
  {
    name: 'audit events',
    table: 'audit_events',
    age: 'audit',
    sliceSize: 500,
    time: 'at',
    index: 'audit_events_newest',
    isAppended: true,
  },
  {
    name: 'execution statistics',
    table: 'execution_statistics',
    age: 'executions',
    sliceSize: 500,
    time: 'at',
    index: 'execution_statistics_oldest',
    isAppended: true,
  },
  {
    name: 'failed requests',
    table: 'failed_requests',
    age: 'executions',
    sliceSize: 500,
    time: 'at',
    index: 'failed_requests_oldest',
    isAppended: true,
  },
  {
    name: 'named users',
    table: 'named_users',
    // Keeps named users as long as audit events, because the tokens and grants of a user are kept longer than
    // executions.
    age: 'audit',
    sliceSize: 500,
    time: 'seen_at',
    index: 'named_users_oldest',
  },
  {
    name: 'access tokens',
    table: 'access_tokens',
    age: 'ended',
    sliceSize: 500,
    time: 'expires_at',
    index: 'access_tokens_expiry',
  },
  {
    name: 'counted calls of narrowed tokens',
    table: 'narrowed_token_calls',
    age: 'ended',
    sliceSize: 500,
    time: 'expires_at',
    index: 'narrowed_token_calls_expiry',
  },
  {
    name: 'narrowed tokens',
    table: 'narrowed_tokens',
    age: 'ended',
    sliceSize: 100,
    time: 'expires_at',
    index: 'narrowed_tokens_expiry',
  },
  {
    name: 'counted calls of agent grants',
    table: 'agent_grant_calls',
    age: 'ended',
    sliceSize: 500,
    time: 'expires_at',
    index: 'agent_grant_calls_expiry',
  },
  {
    name: 'agent grants',
    table: 'agent_grants',
    age: 'ended',
    sliceSize: 100,
    time: 'expires_at',
    index: 'agent_grants_expiry',
  },
  {
    name: 'agent sign-ins',
    table: 'agent_sign_ins',
    // Keeps a sign-in for 1 hour after its expiry, so that the browser can show why it ended. The time is short,
    // because anybody can start sign-ins and so fill the table.
    afterMs: 3_600_000,
    sliceSize: 500,
    time: 'expires_at',
    index: 'agent_sign_ins_expiry',
  },
  {
    name: 'authorization links',
    table: 'authorization_links',
    age: 'ended',
    sliceSize: 500,
    time: 'expires_at',
    index: 'authorization_links_expiry',
  },
  {
    name: 'authorization flows',
    table: 'authorization_flows',
    age: 'ended',
    sliceSize: 500,
    time: 'expires_at',
    index: 'authorization_flows_expiry',
  },
  {
    name: 'stored responses',
    table: 'idempotency_keys',
    age: 'ended',
    sliceSize: 20,
    time: 'expires_at',
    index: 'idempotency_keys_expiry',
  },
  {
    name: 'approvals of calls',
    table: 'call_approvals',
    age: 'executions',
    sliceSize: 20,
    time: 'holds_until',
    index: 'call_approvals_oldest',
  },
  {
    name: 'events',
    table: 'events',
    age: 'executions',
    // Keeps events 4 days longer, because deleting an event also deletes its deliveries. Their attempts usually end
    // within 4 days. A delivery can be deleted before its last attempt if its endpoint was disabled or requested longer
    // waits, or if the delivery waited for an earlier one of its account.
    afterMs: 4 * 24 * 3_600_000,
    sliceSize: 20,
    time: 'at',
    index: 'events_oldest',
  },
  {
    name: 'leases of event types',
    table: 'event_leases',
    age: 'ended',
    sliceSize: 500,
    time: 'expires_at',
    index: 'event_leases_expiry',
  },
  {
    name: 'received webhooks',
    table: 'webhook_receipts',
    // Keeps receipts of webhooks for 7 days, to recognize repeated deliveries. Upstreams repeat a delivery within
    // hours, so an equal payload after a week is a new one.
    afterMs: 7 * 24 * 3_600_000,
    sliceSize: 500,
    time: 'at',
    index: 'webhook_receipts_oldest',
  },
  {
    name: 'operator sessions',
    table: 'operator_sessions',
    age: 'ended',
    sliceSize: 500,
    time: 'used_at',
    index: 'operator_sessions_used',
    afterMs: SESSION_IDLE_MS,
  },
  {
    name: 'sign-in links of operators',
    table: 'operator_sign_in_links',
    age: 'ended',
    sliceSize: 500,
    time: 'expires_at',
    index: 'operator_sign_in_links_expiry',
  },
  {
    name: 'used passkey challenges',
    table: 'used_challenges',
    age: 'ended',
    sliceSize: 500,
    time: 'expires_at',
    index: 'used_challenges_expiry',
  },
  {
    name: 'client registrations that ended',
    table: 'client_registrations',
    age: 'ended',
    sliceSize: 100,
    time: 'expires_at',
    index: 'client_registrations_expiry',
  },
  {
    name: 'revoked client secrets',
    table: 'client_secrets',
    age: 'unused',
    sliceSize: 100,
    time: 'revoked_at',
    index: 'client_secrets_revoked',
  },
];

export const SCANNED_RULES: readonly ScannedRule[] = [
  {
    name: 'client registrations that no account uses',
    table: 'client_registrations',
    age: 'unused',
    sliceSize: 100,
    time: 'created_at',
    key: 'id',
    references: ['accounts', 'authorization_flows', 'pending_approvals'].map((table) => ({
      table,
      by: SAME_REGISTRATION,
    })),
  },
  {
    name: 'rate buckets',
    table: 'rate_buckets',
    sliceSize: 500,
    time: 'full_at',
    key: 'key',
    afterMs: 60_000,
    onlyOn: 'postgres',
  },
  {
    name: 'instances',
    table: 'instances',
    sliceSize: 500,
    time: 'seen_at',
    key: 'id',
    afterMs: 60_000,
    onlyOn: 'postgres',
  },
];

export const EXECUTION_RULE: RetentionRule = {
  name: 'executions',
  table: 'executions',
  age: 'executions',
  sliceSize: 500,
};
