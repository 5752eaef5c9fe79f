import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase } from 'vitest/node';

/** Result of a test whose title contains the number of a rule in security-rules.md. */
interface TestedRule {
  readonly rule: string;
  readonly database: string;
  /** Path of the test file, relative to the package. */
  readonly file: string;
  readonly title: string;
  readonly state: string;
  readonly ms: number;
}

const RULE = /\b[AOKRPNDLFSVTEHG][1-9]\d?\b/g;

/** Removes the suffix `-apart` from the Vitest project name: both projects test the same database. */
const databaseOf = (project: string): string => project.replace(/-apart$/, '');

function rulesOf(test: TestCase): TestedRule[] {
  const rules = new Set(test.fullName.match(RULE));
  const { state } = test.result();
  const ms = Math.round(test.diagnostic()?.duration ?? 0);
  const database = databaseOf(test.project.name);
  const file = test.module.relativeModuleId;
  return [...rules].map((rule) => ({ rule, database, file, title: test.fullName, state, ms }));
}

/**
 * Creates a Vitest reporter that writes the results of tests with a rule number to this file.
 * `scripts/mutants/check-rules.ts` reads the file.
 */
export function rulesReporter(file: string): Reporter {
  const tested: TestedRule[] = [];
  return {
    onTestCaseResult: (test) => {
      tested.push(...rulesOf(test));
    },
    onTestRunEnd: () => writeFileSync(file, JSON.stringify(tested)),
  };
}
