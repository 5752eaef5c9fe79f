import { readFileSync } from 'node:fs';

/** Row of the tables in security-rules.md: `| O3 | rule | files that show it |`. */
export interface SecurityRule {
  readonly rule: string;
  /** True if the rule involves a database. `| O22 · no database |` marks a rule that does not. */
  readonly needsDatabase: boolean;
  /**
   * True if only full runs check the rule, because that takes too long for others. Marked as `| F8 · full runs |`.
   */
  readonly isForFullRuns: boolean;
  /**
   * Test files below packages/server and check scripts in scripts/. Files after "in full runs" count only in full
   * runs.
   */
  readonly shownBy: readonly string[];
}

const isFull = process.env['SVC_TEST_FULL'] === '1';

/** Returns an expression that matches the rule's number in a test title or message. */
export const ruleIn = (rule: string): RegExp => new RegExp(`\\b${rule}\\b`);

export function readSecurityRules(): SecurityRule[] {
  const text = readFileSync(new URL('../packages/docs/security-rules.md', import.meta.url), 'utf8');
  const rows = text.split('\n').filter((line) => /^\| [A-Z]\d{1,2} /.test(line));
  return rows.map((row) => {
    const [, number = '', , shown = ''] = row.split('|').map((cell) => cell.trim());
    const [rule = '', mark] = number.split(' · ');
    const shownHere = isFull ? shown : (shown.split('in full runs')[0] ?? '');
    const shownBy = [...shownHere.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
    return { rule, needsDatabase: mark === undefined, isForFullRuns: mark === 'full runs', shownBy };
  });
}
