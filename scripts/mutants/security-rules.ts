import { readFileSync } from 'node:fs';

/** Row of a table in security-rules.md: `| O3 | rule | files that check it |`. */
export interface SecurityRule {
  readonly rule: string;
  /**
   * True if the rule's tests must also pass on PostgreSQL. False for a rule with a mark in the table, such as `| O22 ·
   * no database |`.
   */
  readonly needsDatabase: boolean;
  /**
   * True if only full test runs check the security rule, because its tests take too long. The table marks such a rule
   * as `| F8 · full runs |`.
   */
  readonly isForFullRuns: boolean;
  /**
   * Files that check the security rule: tests below packages/server and check scripts in scripts/. Files that the table
   * lists after the words "in full runs" are included only in full test runs.
   */
  readonly testFiles: readonly string[];
}

const isFull = process.env['SVC_TEST_FULL'] === '1';

/** Returns a regular expression that matches the security rule's number in a test title or message. */
export const ruleIn = (rule: string): RegExp => new RegExp(`\\b${rule}\\b`);

export function readSecurityRules(): SecurityRule[] {
  const text = readFileSync(new URL('../../packages/docs/security-rules.md', import.meta.url), 'utf8');
  const rows = text.split('\n').filter((line) => /^\| [A-Z]\d{1,2} /.test(line));
  return rows.map((row) => {
    const [, number = '', , files = ''] = row.split('|').map((cell) => cell.trim());
    const [rule = '', mark] = number.split(' · ');
    const relevant = isFull ? files : (files.split('in full runs')[0] ?? '');
    const testFiles = [...relevant.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
    return { rule, needsDatabase: mark === undefined, isForFullRuns: mark === 'full runs', testFiles };
  });
}
