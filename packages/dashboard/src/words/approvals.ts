import type { Answer } from '../api/call.ts';
import type { StateWords } from './states.ts';

export type Approval = Answer<'GET /operator/v1/applications/{applicationId}/approvals/{approvalId}'>;
export type ApprovalStatus = Approval['status'];

const WORDS: Readonly<Record<ApprovalStatus, StateWords>> = {
  pending: {
    tone: 'warn',
    title: 'Waits for you',
    story: 'Nothing has happened yet.',
    next: 'Agree or refuse; when nobody does in time, it does not happen.',
  },
  approved: {
    tone: 'good',
    title: 'Agreed',
    story: 'It happens once, when whoever asked asks again.',
  },
  running: { tone: 'good', title: 'Running', story: 'It is happening right now.' },
  executed: { tone: 'good', title: 'Ran', story: 'It ran once. Its execution tells how that ended.' },
  denied: { tone: 'soft', title: 'Refused', story: 'It does not happen, and whoever asked is told so.' },
  expired: {
    tone: 'soft',
    title: 'Too late',
    story: 'Nobody decided in time, or nobody asked again in time, so it did not happen.',
  },
  interrupted: {
    tone: 'bad',
    title: 'Broken off',
    story:
      'It had begun when this service ended, and does not run again. Nobody here knows whether it happened.',
    next: 'Look at the upstream whether it did.',
  },
};

/** The words for the status of an approval. An unknown status of a newer service is its own word. */
export const approvalWords = (status: string): StateWords =>
  Object.hasOwn(WORDS, status)
    ? WORDS[status as ApprovalStatus]
    : { tone: 'soft', title: status, story: `It is ${status}.` };

/** The words for the caller that requested or decided an approval. */
export function callerWords(caller: string): string {
  if (caller.startsWith('operator:')) return caller.slice('operator:'.length);
  if (caller.startsWith('token:')) return `an agent with the token ${caller.slice('token:'.length)}`;
  return caller === 'user' ? 'whoever had the link' : 'the application itself';
}

export const STATUSES: readonly { readonly value: string; readonly title: string }[] = [
  { value: '', title: 'All' },
  ...Object.entries(WORDS).map(([value, { title }]) => ({ value, title })),
];
