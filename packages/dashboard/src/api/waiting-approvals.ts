import { signal } from '@preact/signals';
import type { Problems } from './problems.ts';

/** Number of calls that wait for an approval, by application. The navigation and the overview show it. */
const counts = signal<Readonly<Record<string, number>>>({});

/** Notes the number that a response of the service contains. */
export function noteWaitingApprovals(applicationId: string, { waitingApprovals }: Problems): void {
  if (waitingApprovals === undefined || counts.value[applicationId] === waitingApprovals) return;
  counts.value = { ...counts.value, [applicationId]: waitingApprovals };
}

/** Returns the number for an application; `undefined` before the first response that contains it. */
export const waitingApprovalsOf = (applicationId: string | undefined): number | undefined =>
  applicationId === undefined ? undefined : counts.value[applicationId];
