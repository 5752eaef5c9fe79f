import type { AuditAction } from '../names/audit-actions.js';
import type { AnyEventType, EventType } from '../names/event-types.js';
import { type AuditedChange, IMPORT_FAILED } from '../records/commit.js';
import type { AccountName } from '../storage/accounts-table.js';
import type { Tables } from '../storage/storage.js';
import { isoTime } from '../text/iso-time.js';

/** Event that the database does not contain yet, with its application. */
export interface EventDraft {
  readonly applicationId: string;
  readonly type: AnyEventType;
  readonly at: number;
  readonly accountId: string | null;
  readonly connectionName: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

type Described = Pick<EventDraft, 'accountId' | 'connectionName' | 'data'>;

/**
 * Function that reads the changed object and returns the event's data. Returns `undefined` if the object was deleted
 * meanwhile, or if this change causes no event.
 */
type Describe = (tables: Tables, change: AuditedChange) => Promise<Described | undefined>;

/**
 * Types of the events that audited changes cause. All other events are caused by failed executions, watches and tests
 * of endpoints.
 */
type ChangeType = Exclude<EventType, 'endpoint.tested' | 'execution.failed' | `watch.${string}`>;

/** Maps audited actions to the types of their events. Actions without an entry cause no event. */
const TYPES: Readonly<Partial<Record<AuditAction, ChangeType>>> = {
  'account.authorized': 'account.authorized',
  'account.pending_verification': 'account.pending_verification',
  'account.reauthorization_required': 'account.reauthorization_required',
  'account.revoked': 'account.reauthorization_required',
  'account.deleted': 'account.deleted',
  'connection.changed': 'connection.changed',
  'connection.refused_by_upstream': 'connection.changed',
  'connection.tools_changed': 'connection.changed',
  'approval.requested': 'approval.requested',
  'approval.approved': 'approval.decided',
  'approval.denied': 'approval.decided',
  'approval.expired': 'approval.decided',
  'webhook_endpoint.disabled': 'endpoint.disabled',
};

const DECISIONS: Readonly<Partial<Record<AuditAction, string>>> = {
  'approval.approved': 'approved',
  'approval.denied': 'denied',
  'approval.expired': 'expired',
};

/**
 * Returns the fields that identify an account in an event's data. The account label is omitted if the account has none.
 */
export const namesOf = (accountId: string, { connectionName, identifier, account }: AccountName) => ({
  accountId,
  connectionName,
  identifier,
  ...(account && { account }),
});

/**
 * Returns the reason why an account has lost its access. Reads it from the account after a revocation, because the
 * reason of that audit event is the outcome at the upstream.
 */
async function readEndReason(
  { accounts }: Tables,
  { applicationId, object, action, reason }: AuditedChange,
): Promise<string | null | undefined> {
  if (action === 'account.reauthorization_required') return reason;
  if (action !== 'account.revoked') return undefined;
  return (await accounts.find(applicationId ?? '', object))?.statusReason;
}

const describeAccount: Describe = async (tables, change) => {
  const { applicationId, object, deleted } = change;
  const name = deleted ?? (await tables.accounts.findName(applicationId ?? '', object));
  if (name === undefined) return undefined;
  const reason = await readEndReason(tables, change);
  return {
    accountId: object,
    connectionName: name.connectionName,
    data: { ...namesOf(object, name), ...(reason && { reason }) },
  };
};

/**
 * Returns the fields that say what changed in a connection: its settings, whether the upstream accepts it, or its list
 * of tools.
 */
function changeOf({ action, reason }: AuditedChange) {
  if (action === 'connection.refused_by_upstream') return { change: 'refused_by_upstream' };
  if (action === 'connection.tools_changed') return { change: 'tools', tools: reason };
  if (reason === 'accepted_by_upstream') return { change: 'accepted_by_upstream' };
  return { change: 'settings', settings: (reason ?? '').split(',').filter((name) => name !== '') };
}

const describeConnection: Describe = async (tables, change) => {
  const connection = await tables.connections.find(change.applicationId ?? '', change.object);
  if (connection === undefined) return undefined;
  const { id, name: connectionName, connector } = connection;
  const data = { connectionId: id, connectionName, connector, ...changeOf(change) };
  return { accountId: null, connectionName, data };
};

const describeApproval: Describe = async (tables, { applicationId, object, action }) => {
  const approval = await tables.callApprovals.find(applicationId ?? '', object);
  if (approval === undefined) return undefined;
  const { accountId, connectionName, toolName, caller, holdsUntil, decidedBy } = approval;
  // Skips the expiry of an approval that a person has already decided, because an earlier event reported the decision.
  // Such an approval expires if nobody repeats its tool call.
  if (action === 'approval.expired' && decidedBy !== null) return undefined;
  const decision = DECISIONS[action];
  const data = {
    approvalId: object,
    toolName,
    ...namesOf(accountId, approval),
    requestedBy: caller,
    ...(decision === undefined
      ? { expiresAt: isoTime(holdsUntil) }
      : { decision, ...(decidedBy !== null && { decidedBy }) }),
  };
  return { accountId, connectionName, data };
};

const describeEndpoint: Describe = async (_, { object, reason }) => ({
  accountId: null,
  connectionName: null,
  data: { endpointId: object, reason },
});

/** Returns the type of the event that a change causes. Returns `undefined` if it causes none. */
export const typeOf = ({ action, reason }: AuditedChange): ChangeType | undefined =>
  // A failed import deletes the account that it created itself, so the application never had this account.
  reason === IMPORT_FAILED ? undefined : TYPES[action];

const DESCRIBE: Readonly<Record<ChangeType, Describe>> = {
  'account.authorized': describeAccount,
  'account.pending_verification': describeAccount,
  'account.reauthorization_required': describeAccount,
  'account.deleted': describeAccount,
  'connection.changed': describeConnection,
  'approval.requested': describeApproval,
  'approval.decided': describeApproval,
  'endpoint.disabled': describeEndpoint,
};

/** Builds the event that reports a change. Returns `undefined` if the change causes no event. */
export async function describeChange(tables: Tables, change: AuditedChange): Promise<EventDraft | undefined> {
  const type = typeOf(change);
  const { applicationId, at } = change;
  if (type === undefined || applicationId === null) return undefined;
  const described = await DESCRIBE[type](tables, change);
  return described && { applicationId, type, at, ...described };
}
