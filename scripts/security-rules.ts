import { readFileSync } from 'node:fs';

/** A line of the tables of security-rules.md: `| O3 | what holds | where it is shown |`. */
export interface SecurityRule {
  readonly rule: string;
  /** True if the rule involves a database. `| O22 · no database |` marks a rule that does not. */
  readonly needsDatabase: boolean;
  /** Too long for any other; `| F8 · full runs |`. */
  readonly isForFullRuns: boolean;
  /** Test files below packages/server, and check steps in scripts/; what stands behind "in full runs" in those alone. */
  readonly shownBy: readonly string[];
}

const isFull = process.env['SVC_TEST_FULL'] === '1';

/** Matches the rule's number in a title or message. */
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
