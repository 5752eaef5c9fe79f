import type { ApprovalPolicy } from './approval-policy.js';
import type { Addresses } from './connection-addresses.js';

/** Account with all data that an upstream call needs, except secrets. It may be cached. */
export interface ResolvedAccount extends Addresses {
  readonly id: string;
  readonly applicationId: string;
  readonly identifier: string;
  /** Label that tells several accounts of one user on one connection apart. Absent without a label. */
  readonly account?: string;
  readonly connectionId: string;
  readonly connectionName: string;
  /** Id of the account's connector in the catalogue. */
  readonly connector: string;
  /** Approval policy of the connection. Absent if no call needs a person's approval. */
  readonly approve?: ApprovalPolicy;
  /** True if stored executions must not contain error messages of the upstream. Absent by default. */
  readonly hidesUpstreamErrors?: true;
  /** Version of secrets that no test and no call has confirmed. Absent if they are confirmed. */
  readonly untestedVersion?: number;
}
