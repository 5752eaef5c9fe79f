import { readFileSync } from 'node:fs';

// Every rule of SECURITY.md has tests that carry its number, and they passed on each database that it has to do with.

interface TestedRule {
  readonly rule: string;
  readonly database: string;
  readonly state: string;
  readonly ms: number;
}

const DATABASES = ['sqlite', 'postgres'];
const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

/** `| O3 | … |`, and `| O22 · no database | … |` where none is involved. */
const rules = [...read('SECURITY.md').matchAll(/^\| ([A-Z]\d{1,2})( · no database)? \|/gm)].map(
  ([, rule = '', noDatabase]) => ({
    rule,
    databases: noDatabase === undefined ? DATABASES : DATABASES.slice(0, 1),
  }),
);
const tested: readonly TestedRule[] = JSON.parse(read('packages/server/tested-rules.json'));

const missing: string[] = [];
for (const { rule, databases } of rules) {
  const cells = DATABASES.map((database) => {
    const tests = tested.filter((test) => test.rule === rule && test.database === database);
    const passed = tests.filter(({ state }) => state === 'passed');
    const failed = tests.filter(({ state }) => state === 'failed').length;
    // Some tests are about the other database, and skipped on this one.
    if (databases.includes(database) && (passed.length === 0 || failed > 0)) {
      missing.push(`${rule} on ${database}: ${passed.length} tests passed, ${failed} failed`);
    }
    const seconds = passed.reduce((sum, { ms }) => sum + ms, 0) / 1000;
    return `${database} ${String(passed.length).padStart(4)} passed ${seconds.toFixed(1).padStart(7)} s`;
  });
  console.log(`${rule.padEnd(4)} ${cells.join('   ')}`);
}
if (rules.length === 0) missing.push('SECURITY.md has no table of rules');
if (missing.length > 0) {
  console.error(`\n${missing.join('\n')}`);
  process.exit(1);
}
