import { ServiceError } from '../errors.js';
import type { Tables } from '../storage/storage.js';
import type { AuditAction } from './commit.js';

/** Change of an object that may depend on the object's version. */
export interface Edit {
  /** Header If-Match of the request. Without it, the change does not depend on a version. */
  readonly ifMatch: string | undefined;
  /** ETag of the stored object. `undefined` if the object does not exist. */
  readonly etag: string | undefined;
  /** Application that owns the object; `null` for an object of the whole service. */
  readonly applicationId: string | null;
  /** Id of the object in the audit log. */
  readonly object: string;
  /** Action that records changes of the object in the audit log. */
  readonly action: AuditAction;
  /** Name of the object in the error message. */
  readonly called: string;
}

type Log = Pick<Tables, 'auditEvents'>;

/** True if the header If-Match names the ETag. Weak ETags never match (RFC 9110, section 13.1.1). */
const matches = (ifMatch: string, etag: string): boolean =>
  ifMatch.trim() === '*' || ifMatch.split(',').some((each) => each.trim() === etag);

/** Finds the last change among the newest events of the audit log. Older changes are not searched. */
async function findLastChange({ auditEvents }: Log, { applicationId, object, action }: Edit) {
  const recent = { applicationId: applicationId ?? undefined, newestFirst: true };
  const upTo = await auditEvents.findEnd({ ...recent, limit: 1 });
  const [event] = await auditEvents.list({ ...recent, action, object, upTo, limit: 1 });
  return event && { changedBy: event.actor, changedAt: new Date(event.at).toISOString() };
}

/** Creates the error for a change of an object that somebody else has changed meanwhile. */
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
 * Throws conflict if the request has a header If-Match that does not name the object's ETag. The change must run in the
 * same transaction, after a lock of the object.
 */
export async function checkIfMatch(log: Log, edit: Edit): Promise<void> {
  const { ifMatch, etag } = edit;
  if (ifMatch === undefined || (etag !== undefined && matches(ifMatch, etag))) return;
  throw await editConflict(log, edit);
}
