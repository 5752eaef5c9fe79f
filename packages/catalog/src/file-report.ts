import type { BrokenRule, Problem } from './errors.js';

/** A step on the way to a place in a file. */
export type Step = string | number;

/** Notes what is wrong at a place of one file. */
export type Report = (steps: readonly Step[], reason: string) => void;

/** A report that collects the problems of one file. */
export function createReport(path: string, problems: Problem[]): Report {
  return (steps, reason) => {
    problems.push({ path, where: placeOf(steps), reason });
  };
}

/** The same report for the part of the file that stands at `start`. */
export function reportWithin(report: Report, ...start: readonly Step[]): Report {
  return (steps, reason) => report([...start, ...steps], reason);
}

/** Reports the rules that a part of a file breaks. */
export function reportRules(rules: readonly BrokenRule[], report: Report): void {
  for (const { field, message } of rules) report(field === '' ? [] : [field], message);
}

function placeOf(steps: readonly Step[]): string {
  return steps
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join('');
}
