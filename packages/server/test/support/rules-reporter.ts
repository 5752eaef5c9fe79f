import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase } from 'vitest/node';

/** A test whose title carries the number of a rule of security-rules.md, and how it ended. */
interface TestedRule {
  readonly rule: string;
  readonly database: string;
  /** Below the package. */
  readonly file: string;
  readonly title: string;
  readonly state: string;
  readonly ms: number;
}

const RULE = /\b[AOKRPNDLFSVTEHG][1-9]\d?\b/g;

/** Some of its tests run apart. */
const databaseOf = (project: string): string => project.replace(/-apart$/, '');

function rulesOf(test: TestCase): TestedRule[] {
  const rules = new Set(test.fullName.match(RULE));
  const { state } = test.result();
  const ms = Math.round(test.diagnostic()?.duration ?? 0);
  const database = databaseOf(test.project.name);
  const file = test.module.relativeModuleId;
  return [...rules].map((rule) => ({ rule, database, file, title: test.fullName, state, ms }));
}

/** Leaves a list of them in this file for `scripts/check-rules.ts`. */
export function rulesReporter(file: string): Reporter {
  const tested: TestedRule[] = [];
  return {
    onTestCaseResult: (test) => {
      tested.push(...rulesOf(test));
    },
    onTestRunEnd: () => writeFileSync(file, JSON.stringify(tested)),
  };
}
