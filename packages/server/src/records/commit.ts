import type { Caller, CurrentCaller } from '../caller.js';
import type { Log } from '../log/log.js';
import type { AuditAction } from '../names/audit-actions.js';
import type { AccountName } from '../storage/accounts-table.js';
import type { AuditEventRow } from '../storage/schema.js';
import type { Storage, Tables } from '../storage/storage.js';
import { newId, type Random } from '../text/random.js';

/** Reason of `account.deleted` if an import of tokens failed and deleted the account that it had created. */
export const IMPORT_FAILED = 'import_failed';

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
  /**
   * Names of the account that the action deleted. The webhook event about the deletion needs them, and can no longer
   * read them from the database.
   */
  readonly deleted?: AccountName | undefined;
}

/** Audit event of a change. `deleted` contains the names of the account if the change deleted one. */
export interface AuditedChange extends AuditEventRow {
  readonly action: AuditAction;
  readonly deleted?: AccountName | undefined;
}

/**
 * Writes webhook events about audited changes, in the transaction of the changes. Implemented by
 * events/service-events.ts.
 */
export interface ChangeReporter {
  /** Returns true if at least one webhook event was written, so that `notify` must be called after the commit. */
  readonly write: (tables: Tables, changes: readonly AuditedChange[]) => Promise<boolean>;
  /**
   * Starts the delivery of webhook events. Called after the commit of a transaction in which `write` has returned true.
   */
  readonly notify: () => void;
}

export type Audit = (event: AuditEvent) => void;

/**
 * Runs a change and records its audit events in one transaction, so that no change happens without its events. `work`
 * uses only the given tables and never waits for the network.
 */
export type Commit = <T>(work: (tables: Tables, audit: Audit) => Promise<T>) => Promise<T>;

export type OnChange = (event: AuditEventRow) => void;

export interface CommitOptions {
  readonly storage: Pick<Storage, 'transaction'>;
  readonly caller: CurrentCaller;
  readonly now: () => number;
  readonly random: Random;
  /** Called with each audit event after the commit of the transaction that wrote it. */
  readonly onChange?: OnChange | undefined;
  /** Writes webhook events about the audited changes. Absent: none are written. */
  readonly reporter?: ChangeReporter | undefined;
}

export function createCommit({ storage, caller, now, random, onChange, reporter }: CommitOptions): Commit {
  function toRow({ action, applicationId, object, result, reason, ...by }: AuditEvent) {
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
    } satisfies AuditEventRow;
  }

  async function commit<T>(work: (tables: Tables, audit: Audit) => Promise<T>): Promise<T> {
    const rows: AuditEventRow[] = [];
    const changes: AuditedChange[] = [];
    function audit(event: AuditEvent): void {
      const row = toRow(event);
      rows.push(row);
      changes.push({ ...row, deleted: event.deleted });
    }
    let isReported = false;
    const outcome = await storage.transaction(async (tables) => {
      const done = await work(tables, audit);
      if (rows.length > 0) await tables.auditEvents.insert(rows);
      isReported = (await reporter?.write(tables, changes)) ?? false;
      return done;
    });
    for (const row of rows) onChange?.(row);
    if (isReported) reporter?.notify();
    return outcome;
  }
  return commit;
}

/**
 * Creates the function that writes a log line for each audit event. The event's details are only in the audit log,
 * where the request id of the line finds them.
 */
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
