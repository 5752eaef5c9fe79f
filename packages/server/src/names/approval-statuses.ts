/** `expired`: no decision, or no call after it, in time. `interrupted`: the call began, and its outcome is unknown. */
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
