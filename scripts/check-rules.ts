import { readFileSync } from 'node:fs';
import { isOfBoth } from '../packages/server/test/support/databases-of.ts';
import { readSecurityRules, ruleIn, type SecurityRule } from './security-rules.ts';

// Every rule of SECURITY.md has tests that carry its number, in the files that it names and on each database that it has to
// do with, and all of them passed. What a check step shows has its number in what the step says.

interface TestedRule {
  readonly rule: string;
  readonly database: string;
  readonly file: string;
  readonly state: string;
  readonly ms: number;
}

const DATABASES = ['sqlite', 'postgres'];
/** Most files run on one of them, with another commit on the other one, and in full runs on both. */
const areInTurns = process.env['SVC_TEST_TURNS'] === '1';
const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

/** Files as SECURITY.md names them: below packages/server. */
const testedIn = (name: string, prefix = ''): TestedRule[] =>
  JSON.parse(read(`packages/${name}/tested-rules.json`)).map((test: TestedRule) => ({
    ...test,
    file: prefix + test.file,
  }));

const PAGES = '../dashboard/';
const tested = [...testedIn('server'), ...testedIn('dashboard', PAGES)];
/** Where there is no browser, tests of pages are skipped. */
const isShownBy = ({ file, state }: TestedRule) =>
  state === 'passed' || (state === 'skipped' && file.startsWith(PAGES));
const isStep = (file: string) => file.startsWith('scripts/');

function missingOnDatabases({ rule, needsDatabase, shownBy }: SecurityRule): string[] {
  if (shownBy.length > 0 && shownBy.every(isStep)) return [];
  const isOnOneEnough = areInTurns && !shownBy.some(isOfBoth);
  const results = DATABASES.slice(0, needsDatabase || isOnOneEnough ? 2 : 1).map((database) => {
    const tests = tested.filter((test) => test.rule === rule && test.database === database);
    const count = (wanted: string) => tests.filter(({ state }) => state === wanted).length;
    return { database, passed: count('passed'), failed: count('failed') };
  });
  // Some tests are about the other database, and skipped on this one.
  const isShown = (passed: number) =>
    passed > 0 || (isOnOneEnough && results.some((each) => each.passed > 0));
  return results
    .filter(({ passed, failed }) => failed > 0 || !isShown(passed))
    .map(
      ({ database, passed, failed }) => `${rule} on ${database}: ${passed} tests passed, ${failed} failed`,
    );
}

function missingInFiles({ rule, shownBy }: SecurityRule): string[] {
  if (shownBy.length === 0) return [`${rule}: SECURITY.md names no file that shows it`];
  return shownBy.flatMap((file) => {
    const isShown = isStep(file)
      ? ruleIn(rule).test(read(file)) && read('scripts/check.ts').includes(file)
      : tested.some((test) => test.rule === rule && test.file === file && isShownBy(test));
    return isShown ? [] : [`${rule}: ${file} shows nothing of it`];
  });
}

function print({ rule, shownBy }: SecurityRule): void {
  const cells = DATABASES.map((database) => {
    const passed = tested.filter(
      (test) => test.rule === rule && test.database === database && test.state === 'passed',
    );
    const seconds = passed.reduce((sum, { ms }) => sum + ms, 0) / 1000;
    return `${database} ${String(passed.length).padStart(4)} passed ${seconds.toFixed(1).padStart(7)} s`;
  });
  console.log([rule.padEnd(4), ...cells, ...shownBy.filter(isStep)].join('   '));
}

const isFull = process.env['SVC_TEST_FULL'] === '1';
const all = readSecurityRules();
const rules = all.filter(({ isForFullRuns }) => isFull || !isForFullRuns);
rules.forEach(print);
const known = new Set(all.map(({ rule }) => rule));
const unknown = [...new Set(tested.map(({ rule }) => rule))].filter((rule) => !known.has(rule));
const missing = [
  ...rules.flatMap((rule) => [...missingOnDatabases(rule), ...missingInFiles(rule)]),
  ...unknown.map((rule) => `${rule} has tests and no line in SECURITY.md`),
  ...(rules.length === 0 ? ['SECURITY.md has no table of rules'] : []),
];
if (missing.length > 0) {
  console.error(`\n${missing.join('\n')}`);
  process.exitCode = 1;
}
