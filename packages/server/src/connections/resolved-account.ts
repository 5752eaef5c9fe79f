import type { Addresses } from './addresses.js';
import type { ApprovalPolicy } from './approval-policy.js';

/** An account that may be used: everything that the way to the upstream needs, and no secret. */
export interface ResolvedAccount extends Addresses {
  readonly id: string;
  readonly applicationId: string;
  readonly identifier: string;
  readonly connectionId: string;
  readonly connectionName: string;
  /** Id of the connector in the catalogue. */
  readonly connector: string;
  /** Absent where nobody is asked about anything. */
  readonly approve?: ApprovalPolicy;
}
