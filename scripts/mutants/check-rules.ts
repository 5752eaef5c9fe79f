import { readFileSync } from 'node:fs';
import { readSecurityRules, ruleIn, type SecurityRule } from './security-rules.ts';

// Checks that every security rule has a passed test with the rule's number in its title, in every file that the rule
// names. With `--ci`, each rule that needs a database must have passed on PostgreSQL too. A script that checks a rule
// must contain the rule's number.

interface TestedRule {
  readonly rule: string;
  readonly database: string;
  readonly file: string;
  readonly state: string;
  readonly ms: number;
}

const DATABASES = ['sqlite', 'postgres'];
const isCi = process.argv.includes('--ci');
const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

/**
 * Reads the results of a package's last run of tests with a security rule in their titles. File paths are relative to
 * packages/server.
 */
const testedIn = (name: string, prefix = '', run = ''): TestedRule[] =>
  JSON.parse(read(`packages/${name}/tested-rules${run}.json`)).map((test: TestedRule) => ({
    ...test,
    file: prefix + test.file,
  }));

const PAGES = '../dashboard/';
const tested = [
  ...testedIn('server'),
  ...testedIn('dashboard', PAGES),
  ...(isCi ? testedIn('server', '', '.quiet') : []),
];
/** Returns true if the test passed. Also accepts skipped page tests, because machines without a browser skip them. */
const isVerifiedBy = ({ file, state }: TestedRule) =>
  state === 'passed' || (state === 'skipped' && file.startsWith(PAGES));
const isStep = (file: string) => file.startsWith('scripts/');
const isOfThisRun = (file: string) => /\.(?:ci|quiet)\./.test(file) === isCi;

function missingOnDatabase({ rule, needsDatabase, testFiles }: SecurityRule): string[] {
  if (testFiles.length > 0 && testFiles.every(isStep)) return [];
  const database = isCi ? 'postgres' : 'sqlite';
  const tests = tested.filter((test) => test.rule === rule && test.database === database);
  const count = (wanted: string) => tests.filter(({ state }) => state === wanted).length;
  const isVerified = count('passed') > 0 || (isCi && !needsDatabase);
  if (isVerified && count('failed') === 0) return [];
  return [
    `${rule} on ${database}: ${count('passed')} tests passed, ${count('failed')} failed; a rule needs passed tests only`,
  ];
}

function missingInFiles({ rule, testFiles }: SecurityRule): string[] {
  if (testFiles.length === 0) return [`${rule}: security-rules.md names no test file; add one to its row`];
  return testFiles.filter(isOfThisRun).flatMap((file) => {
    const isVerified = isStep(file)
      ? ruleIn(rule).test(read(file)) && read('scripts/check.ts').includes(file)
      : tested.some((test) => test.rule === rule && test.file === file && isVerifiedBy(test));
    return isVerified
      ? []
      : [`${rule}: ${file} has no passed test with this number; add one, or correct security-rules.md`];
  });
}

function print({ rule, testFiles }: SecurityRule): void {
  const cells = DATABASES.map((database) => {
    const passed = tested.filter(
      (test) => test.rule === rule && test.database === database && test.state === 'passed',
    );
    const seconds = passed.reduce((sum, { ms }) => sum + ms, 0) / 1000;
    return `${database} ${String(passed.length).padStart(4)} passed ${seconds.toFixed(1).padStart(7)} s`;
  });
  console.log([rule.padEnd(4), ...cells, ...testFiles.filter(isStep)].join('   '));
}

const isFull = process.env['SVC_TEST_FULL'] === '1';
const all = readSecurityRules();
const rules = all.filter(({ isForFullRuns }) => (isFull && isCi) || !isForFullRuns);
rules.forEach(print);
const known = new Set(all.map(({ rule }) => rule));
const unknown = [...new Set(tested.map(({ rule }) => rule))].filter((rule) => !known.has(rule));
const missing = [
  ...rules.flatMap((rule) => [...missingOnDatabase(rule), ...missingInFiles(rule)]),
  ...unknown.map((rule) => `${rule} has tests but no row in security-rules.md; add one`),
  ...(rules.length === 0 ? ['security-rules.md has no table of rules; restore it'] : []),
];
if (missing.length > 0) {
  console.error(`\n${missing.join('\n')}`);
  process.exitCode = 1;
}
