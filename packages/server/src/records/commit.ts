import type { Caller, CurrentCaller } from '../caller.js';
import { newId, type Random } from '../random.js';
import type { AuditEventRow } from '../storage/schema.js';
import type { Storage, Tables } from '../storage/storage.js';

/** Everything that is written to the audit log (rule L2). */
export const AUDIT_ACTIONS = [
  'application.created',
  'application.changed',
  'application.deleted',
  'client_secret.created',
  'client_secret.revoked',
  'account_token.created',
  'account_token.revoked',
  'agent_token.created',
  'agent_token.revoked',
  'agent_access.changed',
  'agent_access.deleted',
  'agent_client.created',
  'agent_client.deleted',
  'agent_sign_in.refused',
  'agent_grant.created',
  'agent_grant.revoked',
  'connection.created',
  'connection.changed',
  'connection.checked',
  'connection.deleted',
  'connection.refused_by_upstream',
  'account.created',
  'account.authorized',
  'account.secrets_changed',
  'account.reauthorization_required',
  'account.revoked',
  'account.deleted',
  'account.verified',
  'account.verification_refused',
  'authorization.refused',
  'approval.requested',
  'approval.approved',
  'approval.denied',
  'approval.expired',
  'approval.executed',
  'approval.interrupted',
  'root_key.rotated',
  'data_key.created',
  'data_key.deleted',
  'operator.created',
  'operator.changed',
  'operator.deleted',
  'operator.link_created',
  'operator.passkey_added',
  'operator.passkey_removed',
  'operator.signed_in',
  'operator.sign_in_refused',
  'operator.signed_out',
  'address.refused',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export interface AuditEvent {
  readonly action: AuditAction;
  /** Who did it, where that is not who called: somebody who signs in is known by then alone. */
  readonly actor?: string | undefined;
  /** `null` when it is about no application. */
  readonly applicationId: string | null;
  /** The id of what it was done to. */
  readonly object: string;
  /** `done` by default. */
  readonly result?: AuditEventRow['result'];
  /** Why, what of it, or the name of what is made or deleted: afterwards its id alone would tell nobody what it was. */
  readonly reason?: string | undefined;
  /** Who called, where that was before. */
  readonly caller?: Caller;
}

export type Tell = (event: AuditEvent) => void;

/**
 * A change and the audit events that tell of it, in one transaction: without its events the change does not happen.
 * The work may use the tables that it is given and no others, and must not wait for the network.
 */
export type Commit = <T>(work: (tables: Tables, tell: Tell) => Promise<T>) => Promise<T>;

export interface CommitParts {
  readonly storage: Pick<Storage, 'transaction'>;
  readonly caller: CurrentCaller;
  readonly now: () => number;
  readonly random: Random;
  /** Told of every event that is written. */
  readonly onChange?: OnChange | undefined;
}

export type OnChange = (event: AuditEventRow) => void;

export function createCommit({ storage, caller, now, random, onChange }: CommitParts): Commit {
  function toRow({ action, applicationId, object, result, reason, ...by }: AuditEvent): AuditEventRow {
    const { actor, requestId, address } = by.caller ?? caller();
    return {
      id: newId('audit', random),
      at: now(),
      applicationId,
      actor: by.actor ?? actor,
      action,
      object,
      result: result ?? 'done',
      reason: reason ?? null,
      requestId,
      address,
    };
  }
  return async (work) => {
    const rows: AuditEventRow[] = [];
    const outcome = await storage.transaction(async (tables) => {
      const done = await work(tables, (event) => rows.push(toRow(event)));
      if (rows.length > 0) await tables.auditEvents.insert(rows);
      return done;
    });
    for (const row of rows) onChange?.(row);
    return outcome;
  };
}
