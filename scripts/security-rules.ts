import { readFileSync } from 'node:fs';

/** Row of a table in security-rules.md: `| O3 | rule | files that check it |`. */
export interface SecurityRule {
  readonly rule: string;
  /** True if the security rule involves a database. `| O22 · no database |` marks a rule that does not. */
  readonly needsDatabase: boolean;
  /**
   * True if only full test runs check the security rule, because its tests take too long for other runs. Marked as `|
   * F8 · full runs |`.
   */
  readonly isForFullRuns: boolean;
  /**
   * Files that check the security rule: tests below packages/server and check scripts in scripts/. Files after "in full
   * runs" count only in full runs.
   */
  readonly testFiles: readonly string[];
}

const isFull = process.env['SVC_TEST_FULL'] === '1';

/** Returns a regular expression that matches the security rule's number in a test title or message. */
export const ruleIn = (rule: string): RegExp => new RegExp(`\\b${rule}\\b`);

export function readSecurityRules(): SecurityRule[] {
  const text = readFileSync(new URL('../packages/docs/security-rules.md', import.meta.url), 'utf8');
  const rows = text.split('\n').filter((line) => /^\| [A-Z]\d{1,2} /.test(line));
  return rows.map((row) => {
    const [, number = '', , files = ''] = row.split('|').map((cell) => cell.trim());
    const [rule = '', mark] = number.split(' · ');
    const relevant = isFull ? files : (files.split('in full runs')[0] ?? '');
    const testFiles = [...relevant.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
    return { rule, needsDatabase: mark === undefined, isForFullRuns: mark === 'full runs', testFiles };
  });
}
