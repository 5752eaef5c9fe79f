import { signal } from '@preact/signals';
import type { ResponseOf } from './call.ts';

type Counted = Pick<ResponseOf<'GET /operator/v1/problems'>, 'waitingApprovals'>;

/**
 * Number of tool calls that wait for an approval, by application id. The navigation and the overview show these
 * numbers.
 */
const counts = signal<Readonly<Record<string, number>>>({});

/** Stores how many tool calls of an application wait for an approval. The list of problems contains this number. */
export function noteWaitingApprovals(applicationId: string, { waitingApprovals }: Counted): void {
  if (waitingApprovals === undefined || counts.value[applicationId] === waitingApprovals) return;
  counts.value = { ...counts.value, [applicationId]: waitingApprovals };
}

/**
 * Returns how many tool calls of an application wait for an approval; `undefined` if no response has contained the
 * number yet.
 */
export const waitingApprovalsOf = (applicationId: string | undefined): number | undefined =>
  applicationId === undefined ? undefined : counts.value[applicationId];
