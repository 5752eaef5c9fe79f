import type { ResponseOf } from '../api/call.ts';
import type { StateWords } from './states.ts';

export type Approval = ResponseOf<'GET /operator/v1/applications/{applicationId}/approvals/{approvalId}'>;
export type ApprovalStatus = Approval['status'];

const WORDS: Readonly<Record<ApprovalStatus, StateWords>> = {
  pending: {
    tone: 'warn',
    title: 'Waiting for approval',
    explanation: 'The call has not run yet.',
    next: 'Approve or deny the call. Without a decision, the call expires and never runs.',
  },
  approved: {
    tone: 'good',
    title: 'Approved',
    explanation: 'The call runs once, when the caller repeats it.',
  },
  running: { tone: 'good', title: 'Running', explanation: 'The call is running now.' },
  executed: {
    tone: 'good',
    title: 'Executed',
    explanation: 'The call ran once. For details, open the execution.',
  },
  denied: {
    tone: 'soft',
    title: 'Denied',
    explanation: 'The call does not run, and the caller gets an error with the reason.',
  },
  expired: {
    tone: 'soft',
    title: 'Expired',
    explanation:
      'Nobody decided in time, or the caller did not repeat the call in time. The call did not run.',
  },
  interrupted: {
    tone: 'bad',
    title: 'Interrupted',
    explanation:
      'The service stopped during the call, so the result is unknown. The call does not run again.',
    next: 'Check at the upstream whether the change was made.',
  },
};

/** Returns the texts for the status of an approval. A status that this dashboard does not know becomes the title. */
export const approvalWords = (status: string): StateWords =>
  Object.hasOwn(WORDS, status)
    ? WORDS[status as ApprovalStatus]
    : { tone: 'soft', title: status, explanation: `This dashboard does not know the status “${status}”.` };

// An interrupted call can still become executed, when its instance stores the result later.
const CHANGING: readonly ApprovalStatus[] = ['pending', 'approved', 'running', 'interrupted'];

/** Returns true if the status of an approval does not change any more. */
export const isFinal = ({ status }: Pick<Approval, 'status'>): boolean => !CHANGING.includes(status);

export function callerWords(caller: string): string {
  if (caller.startsWith('operator:')) return caller.slice('operator:'.length);
  if (caller.startsWith('token:')) return `Agent with token ${caller.slice('token:'.length)}`;
  return caller === 'user' ? 'User who opened the approval link' : 'Your application';
}

export const STATUSES: readonly { readonly value: string; readonly title: string }[] = [
  { value: '', title: 'All' },
  ...Object.entries(WORDS).map(([value, { title }]) => ({ value, title })),
];
