import { readFileSync } from 'node:fs';

/** A line of the tables of SECURITY.md: `| O3 | what holds | where it is shown |`. */
export interface SecurityRule {
  readonly rule: string;
  /** Whether a database has to do with it; `| O22 · no database |` where none has. */
  readonly needsDatabase: boolean;
  /** Test files below packages/server, and check steps in scripts/. */
  readonly shownBy: readonly string[];
}

const LINE = /^\| ([A-Z]\d{1,2})( · no database)? \|[^|]+\|([^|]*)\|?$/gm;

/** Where a title or a message names the rule. */
export const ruleIn = (rule: string): RegExp => new RegExp(`\\b${rule}\\b`);

export function readSecurityRules(): SecurityRule[] {
  const text = readFileSync(new URL('../SECURITY.md', import.meta.url), 'utf8');
  return [...text.matchAll(LINE)].map(([, rule = '', noDatabase, shown = '']) => ({
    rule,
    needsDatabase: noDatabase === undefined,
    shownBy: [...shown.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
  }));
}
