/**
 * Statuses of a request for approval of a tool call. `expired`: the decision, or the call after it, came too late.
 * `interrupted`: the call started, and its outcome is unknown.
 */
export const CALL_APPROVAL_STATUSES = [
  'pending',
  'approved',
  'running',
  'executed',
  'denied',
  'expired',
  'interrupted',
] as const;

export type CallApprovalStatus = (typeof CALL_APPROVAL_STATUSES)[number];
