import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Reporter, TestCase } from 'vitest/node';

/** A test whose title carries the number of a rule of SECURITY.md, and how it ended. */
interface TestedRule {
  readonly rule: string;
  readonly database: string;
  /** Below the package. */
  readonly file: string;
  readonly title: string;
  readonly state: string;
  readonly ms: number;
}

const RULE = /\b[AOKRPNDLFSV][1-9]\d?\b/g;
const FILE = fileURLToPath(new URL('../../tested-rules.json', import.meta.url));

const tested: TestedRule[] = [];

/** Some of its tests run apart. */
const databaseOf = (project: string): string => project.replace(/-apart$/, '');

function note(test: TestCase): void {
  const rules = new Set(test.fullName.match(RULE));
  const { state } = test.result();
  const ms = Math.round(test.diagnostic()?.duration ?? 0);
  const database = databaseOf(test.project.name);
  const file = test.module.relativeModuleId;
  for (const rule of rules) tested.push({ rule, database, file, title: test.fullName, state, ms });
}

/** Leaves a list of them for `scripts/check-rules.ts`. */
export const rulesReporter: Reporter = {
  onTestCaseResult: note,
  onTestRunEnd: () => writeFileSync(FILE, JSON.stringify(tested)),
};
