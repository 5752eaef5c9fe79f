/** `expired`: nobody decided, or nobody called, in time. `interrupted`: it began, and nobody knows how it ended. */
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
