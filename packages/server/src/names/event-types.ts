/** Types of the events that the service reports to applications. Their data is described in schemas/events/. */
export const EVENT_TYPES = [
  'account.authorized',
  'account.pending_verification',
  'account.reauthorization_required',
  'account.deleted',
  'connection.changed',
  'approval.requested',
  'approval.decided',
  'execution.failed',
  'endpoint.disabled',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];
