import type { ApprovalPolicy } from './approval-policy.js';
import type { Addresses } from './connection-addresses.js';

/** An account with everything that a call to the upstream needs, except secrets. */
export interface ResolvedAccount extends Addresses {
  readonly id: string;
  readonly applicationId: string;
  readonly identifier: string;
  readonly connectionId: string;
  readonly connectionName: string;
  /** Id of the connector in the catalogue. */
  readonly connector: string;
  /** Absent if no call needs an approval. */
  readonly approve?: ApprovalPolicy;
}
