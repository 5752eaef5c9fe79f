import type { Approvals } from '../../../src/assembly/approvals.js';
import type { Parts } from '../../../src/assembly/parts.js';
import type { DisableEndpoint } from '../../../src/events/disable-endpoint.js';
import type { PauseEndpoint } from '../../../src/events/pause-endpoint.js';
import type { AuditAction } from '../../../src/names/audit-actions.js';
import type { Storage } from '../../../src/storage/storage.js';
import type { Keys } from '../../../src/vault/keys.js';
import type { Application, Reply } from '../service/application.js';
import type { SignedInOperator } from '../service/operator.js';
import type { Service } from '../service/service.js';

/** Running service with its callers and components, on which the audited actions of all steps run. */
export interface AuditWorld {
  readonly service: Service;
  /** Key operations of the service, as its key commands use them. */
  readonly keys: Keys;
  readonly approvals: Pick<Approvals, 'expireOverdue'>;
  readonly events: { readonly disableEndpoint: DisableEndpoint; readonly pauseEndpoint: PauseEndpoint };
  readonly parts: Parts;
  readonly storage: Pick<Storage, 'callApprovals' | 'events' | 'eventDeliveries' | 'webhookEndpoints'>;
  /** Signed-in operator `ada`, who performs the actions of operators. */
  readonly operator: SignedInOperator;
  readonly password: string;
  readonly application: Application;
  /** Ids and other values that earlier steps have stored for later steps, by name. */
  readonly made: Record<string, string>;
}

/** Audited action: it changes something or refuses a request, and the audit log records one event about it. */
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
   * Column by table that may change even if the audit event cannot be written, because it is committed earlier. A
   * comment at each step gives the reason.
   */
  readonly apart?: Readonly<Record<string, string>>;
  /**
   * True if the action changes no row, or cannot be repeated, so that its rollback cannot be tested. A comment at each
   * step gives the reason.
   */
  readonly changesNothing?: true;
}

type Perform = AuditStep['perform'];

export const ownId: AuditStep['actor'] = ({ service }) => service.clientId;
/** Returns the ID of the application that an earlier step has created as the operator. */
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

/**
 * Creates a step whose action a command or the service itself performs. Its event has no request id and no client
 * address.
 */
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
