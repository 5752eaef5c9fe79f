import { ServiceError } from '../errors.js';
import type { AuditAction } from '../names/audit-actions.js';
import type { Tables } from '../storage/storage.js';

/** Change of an object, optionally only if the object still has a given version. */
export interface Edit {
  /**
   * Value of the request header `If-Match`. Undefined: the change is made whatever the current version of the object
   * is.
   */
  readonly ifMatch: string | undefined;
  /** ETag of the stored object. `undefined` if the object does not exist. */
  readonly etag: string | undefined;
  /** Application that owns the object; `null` for an object of the whole service. */
  readonly applicationId: string | null;
  /** Id of the object in the audit log. */
  readonly object: string;
  /** Audit action of changes of the object, such as `connection.changed`. It finds the last change in the audit log. */
  readonly action: AuditAction;
  /** Name of the object in the error message, such as `The connection "mail"`. */
  readonly called: string;
}

type Log = Pick<Tables, 'auditEvents'>;

/**
 * Returns true if the request header `If-Match` lists the ETag or is `*`. Weak ETags never match (RFC 9110, section
 * 13.1.1).
 */
const matches = (ifMatch: string, etag: string): boolean =>
  ifMatch.trim() === '*' || ifMatch.split(',').some((each) => each.trim() === etag);

/** Finds the last change of the object among the newest events of the audit log. Older events are not searched. */
async function findLastChange({ auditEvents }: Log, { applicationId, object, action }: Edit) {
  const recent = { applicationId: applicationId ?? undefined, newestFirst: true };
  const upTo = await auditEvents.findEnd(recent);
  const [event] = await auditEvents.list({ ...recent, action, object, upTo, limit: 1 });
  return event && { changedBy: event.actor, changedAt: new Date(event.at).toISOString() };
}

/** Creates the error for a change of an object that has changed since the caller read it. */
export async function editConflict(log: Log, edit: Edit): Promise<ServiceError> {
  const last = await findLastChange(log, edit);
  const by = last ? ` by ${last.changedBy} at ${last.changedAt}` : '';
  return new ServiceError(
    'conflict',
    `${edit.called} was changed${by} after you read it. Read it again, then repeat your change with the new ETag.`,
    { reason: 'changed', ...last },
  );
}

/**
 * Throws `conflict` if the request's `If-Match` header does not list the object's ETag. The caller must lock the object
 * first, and change it in the same transaction.
 */
export async function checkIfMatch(log: Log, edit: Edit): Promise<void> {
  const { ifMatch, etag } = edit;
  if (ifMatch === undefined || (etag !== undefined && matches(ifMatch, etag))) return;
  throw await editConflict(log, edit);
}
