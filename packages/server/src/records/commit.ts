import type { Caller, CurrentCaller } from '../caller.js';
import type { Log } from '../log/log.js';
import { newId, type Random } from '../random.js';
import type { AuditEventRow } from '../storage/schema.js';
import type { Storage, Tables } from '../storage/storage.js';

/** Names of all actions that the audit log can contain (rule L2 in security-rules.md). */
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
  'connection.tools_changed',
  'account.created',
  'account.authorized',
  'account.secrets_changed',
  'account.details_changed',
  'account.tokens_imported',
  'account.reauthorization_required',
  'account.refresh_failing',
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
  /**
   * Actor of the event if it differs from the caller of the request. A person who signs in becomes known only during
   * the request.
   */
  readonly actor?: string | undefined;
  /** Application that the event concerns. `null` if the event concerns no application. */
  readonly applicationId: string | null;
  /** Id of the object that the action changed. */
  readonly object: string;
  /** Outcome of the action. Default: `done`. */
  readonly result?: AuditEventRow['result'];
  /**
   * Reason or details of the event. Created and deleted objects give their name here, because the id of a deleted
   * object says nothing.
   */
  readonly reason?: string | undefined;
  /** Caller of the request, for an event that is recorded after its request has ended. */
  readonly caller?: Caller;
}

export type RecordEvent = (event: AuditEvent) => void;

/**
 * Runs a change and records its audit events in one transaction, so that no change happens without its events. `work`
 * uses only the given tables and never waits for the network.
 */
export type Commit = <T>(work: (tables: Tables, recordEvent: RecordEvent) => Promise<T>) => Promise<T>;

export type OnChange = (event: AuditEventRow) => void;

export interface CommitOptions {
  readonly storage: Pick<Storage, 'transaction'>;
  readonly caller: CurrentCaller;
  readonly now: () => number;
  readonly random: Random;
  /** Called with each audit event after its transaction was committed. */
  readonly onChange?: OnChange | undefined;
}

export function createCommit({ storage, caller, now, random, onChange }: CommitOptions): Commit {
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

  async function commit<T>(work: (tables: Tables, recordEvent: RecordEvent) => Promise<T>): Promise<T> {
    const rows: AuditEventRow[] = [];
    const outcome = await storage.transaction(async (tables) => {
      const done = await work(tables, (event) => rows.push(toRow(event)));
      if (rows.length > 0) await tables.auditEvents.insert(rows);
      return done;
    });
    for (const row of rows) onChange?.(row);
    return outcome;
  }
  return commit;
}

/** Writes a log line for each audit event. Its details are only in the audit log, under the request id of the line. */
export function createEventLogger(log: Pick<Log, 'info' | 'warn'>): OnChange {
  function logEvent({ action, result, requestId, applicationId }: AuditEventRow): void {
    const write = result === 'done' ? log.info : log.warn;
    write(action, {
      ...(requestId !== null && { requestId }),
      ...(applicationId !== null && { applicationId }),
    });
  }
  return logEvent;
}
