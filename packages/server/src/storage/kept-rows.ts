import { SESSION_IDLE_MS } from './operator-sessions-table.js';

/** What an operator sets in days; `config/settings.ts` has a setting for each. */
export type AgeName = 'executions' | 'audit' | 'ended' | 'unused';

interface Kept {
  /** What is kept, for people. */
  readonly name: string;
  readonly table: string;
  /** Absent: nobody sets it. */
  readonly age?: AgeName;
  /** So many at most in one statement: fewer of what is large. */
  readonly most: number;
}

/** Rows that go when a moment of theirs is so long ago. An index leads to the oldest. */
export interface Aging extends Kept {
  readonly time: string;
  readonly index: string;
  /** It counts only from so long after that moment. */
  readonly afterMs?: number;
  /** None is ever added that is older than what is deleted. */
  readonly isAppended?: true;
}

/** Rows of which something else decides too, or whose moments change all the time: all of them are looked at, by their key. */
export interface Watched extends Kept {
  readonly time: string;
  readonly key: string;
  readonly afterMs?: number;
  /** They stay while there is a row for which this holds. */
  readonly named?: readonly { readonly table: string; readonly by: string }[];
  /** Where there is such a table. */
  readonly only?: 'postgres';
}

const ONE_REGISTRATION = ['application_id', 'connection_id', 'issuer']
  .map((column) => `named.${column} = client_registrations.${column}`)
  .join(' and ');

/**
 * Everything that does not stay, but for executions, which go application by application, and approvals that nobody verified,
 * whose tokens are revoked first (pending-consents.ts).
 */
export const AGING: readonly Aging[] = [
  {
    name: 'audit events',
    table: 'audit_events',
    age: 'audit',
    most: 500,
    time: 'at',
    index: 'audit_events_newest',
    isAppended: true,
  },
  {
    name: 'execution statistics',
    table: 'execution_statistics',
    age: 'executions',
    most: 500,
    time: 'at',
    index: 'execution_statistics_oldest',
    isAppended: true,
  },
  {
    name: 'access tokens',
    table: 'access_tokens',
    age: 'ended',
    most: 500,
    time: 'expires_at',
    index: 'access_tokens_expiry',
  },
  {
    name: 'counted calls of narrowed tokens',
    table: 'narrowed_token_calls',
    age: 'ended',
    most: 500,
    time: 'expires_at',
    index: 'narrowed_token_calls_expiry',
  },
  {
    name: 'narrowed tokens',
    table: 'narrowed_tokens',
    age: 'ended',
    most: 100,
    time: 'expires_at',
    index: 'narrowed_tokens_expiry',
  },
  {
    name: 'counted calls of agent grants',
    table: 'agent_grant_calls',
    age: 'ended',
    most: 500,
    time: 'expires_at',
    index: 'agent_grant_calls_expiry',
  },
  {
    name: 'agent grants',
    table: 'agent_grants',
    age: 'ended',
    most: 100,
    time: 'expires_at',
    index: 'agent_grants_expiry',
  },
  {
    name: 'agent sign-ins',
    table: 'agent_sign_ins',
    // Anybody can begin one; so long its browser is told why it is over.
    afterMs: 3_600_000,
    most: 500,
    time: 'expires_at',
    index: 'agent_sign_ins_expiry',
  },
  {
    name: 'authorization links',
    table: 'authorization_links',
    age: 'ended',
    most: 500,
    time: 'expires_at',
    index: 'authorization_links_expiry',
  },
  {
    name: 'authorization flows',
    table: 'authorization_flows',
    age: 'ended',
    most: 500,
    time: 'expires_at',
    index: 'authorization_flows_expiry',
  },
  {
    name: 'idempotent answers',
    table: 'idempotency_keys',
    age: 'ended',
    most: 20,
    time: 'expires_at',
    index: 'idempotency_keys_expiry',
  },
  {
    name: 'approvals of calls',
    table: 'call_approvals',
    age: 'executions',
    most: 20,
    time: 'holds_until',
    index: 'call_approvals_oldest',
  },
  {
    name: 'operator sessions',
    table: 'operator_sessions',
    age: 'ended',
    most: 500,
    time: 'used_at',
    index: 'operator_sessions_used',
    afterMs: SESSION_IDLE_MS,
  },
  {
    name: 'sign-in links of operators',
    table: 'operator_sign_in_links',
    age: 'ended',
    most: 500,
    time: 'expires_at',
    index: 'operator_sign_in_links_expiry',
  },
  {
    name: 'answered challenges of passkeys',
    table: 'answered_challenges',
    age: 'ended',
    most: 500,
    time: 'expires_at',
    index: 'answered_challenges_expiry',
  },
  {
    name: 'client registrations that ended',
    table: 'client_registrations',
    age: 'ended',
    most: 100,
    time: 'expires_at',
    index: 'client_registrations_expiry',
  },
  {
    name: 'revoked client secrets',
    table: 'client_secrets',
    age: 'unused',
    most: 100,
    time: 'revoked_at',
    index: 'client_secrets_revoked',
  },
];

export const WATCHED: readonly Watched[] = [
  {
    name: 'client registrations that no account uses',
    table: 'client_registrations',
    age: 'unused',
    most: 100,
    time: 'created_at',
    key: 'id',
    named: ['accounts', 'authorization_flows', 'pending_approvals'].map((table) => ({
      table,
      by: ONE_REGISTRATION,
    })),
  },
  {
    name: 'rate buckets',
    table: 'rate_buckets',
    most: 500,
    time: 'full_at',
    key: 'key',
    afterMs: 60_000,
    only: 'postgres',
  },
  {
    name: 'instances',
    table: 'rate_instances',
    most: 500,
    time: 'seen_at',
    key: 'id',
    afterMs: 60_000,
    only: 'postgres',
  },
];

export const EXECUTIONS: Kept = { name: 'executions', table: 'executions', age: 'executions', most: 500 };
