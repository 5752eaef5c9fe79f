import type { Answer } from '../../api/call.ts';
import { grouped, percentage } from '../../words/numbers.ts';

export type Statistics = Answer<'GET /operator/v1/applications/{applicationId}/execution-statistics'>;
/** A step of time; no latency where nothing ran. */
export type Step = Statistics['points'][number];

/** The range in one sentence. */
export function summaryOf(steps: readonly Step[]): string {
  const sum = (of: (step: Step) => number) => steps.reduce((total, step) => total + of(step), 0);
  const calls = sum((step) => step.calls);
  if (calls === 0) return 'No calls in this time.';
  const errors = sum((step) => step.errors);
  const slowest = Math.max(...steps.map(({ p95Ms }) => p95Ms ?? 0));
  return `${grouped(calls)} ${calls === 1 ? 'call' : 'calls'}, ${errors} failed (${percentage(errors / calls)}); at the slowest, 95 of 100 took at most ${slowest} ms.`;
}
