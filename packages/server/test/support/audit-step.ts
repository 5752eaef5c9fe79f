import type { Approvals } from '../../src/assembly/approvals.js';
import type { Parts } from '../../src/assembly/parts.js';
import type { DisableEndpoint } from '../../src/events/disable-endpoint.js';
import type { AuditAction } from '../../src/records/commit.js';
import type { Storage } from '../../src/storage/storage.js';
import type { Keys } from '../../src/vault/keys.js';
import type { Application, Reply } from '../application.js';
import type { SignedInOperator } from '../operator.js';
import type { Service } from '../service.js';

/** Service and accounts for the steps. */
export interface AuditWorld {
  readonly service: Service;
  /** Key operations of the service, as its key commands use them. */
  readonly keys: Keys;
  readonly approvals: Pick<Approvals, 'expireOverdue'>;
  readonly events: { readonly disableEndpoint: DisableEndpoint };
  readonly parts: Parts;
  readonly storage: Pick<Storage, 'callApprovals' | 'events' | 'eventDeliveries'>;
  /** The operator `ada`. */
  readonly operator: SignedInOperator;
  readonly password: string;
  readonly application: Application;
  /** Objects of earlier steps, by name. */
  readonly made: Record<string, string>;
}

/** A change or a refusal that the audit log records as an event. */
export interface AuditStep {
  readonly action: AuditAction;
  /** Sets up what `perform` needs, so that `perform` itself causes only the audited action. */
  readonly prepare?: (world: AuditWorld) => Promise<unknown>;
  /** Performs the audited action, and returns the HTTP reply if the action is a request. */
  readonly perform: (world: AuditWorld) => Promise<Reply | undefined>;
  readonly actor: (world: AuditWorld) => string;
  /** ID of the application that the audit event must name, read after the step. */
  readonly applicationId: (world: AuditWorld) => string | null;
  readonly object: RegExp;
  readonly result?: 'refused';
  /**
   * Columns by table whose change is committed even when the audit event cannot be written. A comment at each step
   * gives the reason.
   */
  readonly apart?: Readonly<Record<string, string>>;
  /** The event reports something that changes nothing, so it cannot be rolled back. The step gives the reason. */
  readonly changesNothing?: true;
}

type Perform = AuditStep['perform'];

export const ownId: AuditStep['actor'] = ({ service }) => service.clientId;
/** ID of the application that the operator created. */
export const madeId: AuditStep['actor'] = ({ made }) => made['application'] ?? '';
export const nobody = () => null;

export const byOperator = (action: AuditAction, object: RegExp, perform: Perform): AuditStep => ({
  action,
  object,
  perform,
  actor: () => 'operator:ada',
  applicationId: madeId,
});

export const byApplication = (action: AuditAction, object: RegExp, perform: Perform): AuditStep => ({
  action,
  object,
  perform,
  actor: ownId,
  applicationId: ownId,
});

/** Step of a command or of the service itself, without an HTTP request or a client address. */
export const byService = (
  action: AuditAction,
  object: RegExp,
  perform: (world: AuditWorld) => Promise<unknown>,
): AuditStep => ({
  action,
  object,
  perform: async (world) => {
    await perform(world);
    return undefined;
  },
  actor: () => 'service',
  applicationId: nobody,
});
