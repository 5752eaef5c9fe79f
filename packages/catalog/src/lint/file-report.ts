import type { BrokenRule, Problem } from '../errors.js';

/** Segment of a path in a JSON file: a property name or an array index. */
export type Step = string | number;

/** Reports a problem at a path in one file. */
export type Report = (steps: readonly Step[], reason: string) => void;

/** Creates a function that adds each reported problem of one file to `problems`. */
export function createReport(path: string, problems: Problem[]): Report {
  return (steps, reason) => {
    problems.push({ path, where: pathText(steps), reason });
  };
}

/** Creates a report function for one part of a file. Its paths are relative to the part, whose own path is `start`. */
export function reportWithin(report: Report, ...start: readonly Step[]): Report {
  return (steps, reason) => report([...start, ...steps], reason);
}

/** Reports the schema rules that a part of a file breaks, each at its field. */
export function reportRules(rules: readonly BrokenRule[], report: Report): void {
  for (const { field, message } of rules) report(field === '' ? [] : [field], message);
}

function pathText(steps: readonly Step[]): string {
  return steps
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join('');
}
