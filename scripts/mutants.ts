import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readSecurityRules, ruleIn } from './security-rules.ts';

// Breaks a rule of SECURITY.md in one place and runs the tests that carry its number: one of them must fail.

const HELP = `npm run test:mutants -- [--check] [--rule K4]

Runs every mutant of scripts/mutants.json: a fault in one source file of the service, as it is loaded by the tests that
carry the rule's number. Ends with 1 when a mutant survives, or when the tests of a rule fail without one.

  --check      Only see whether each mutant still fits its file, and each rule has one
  --rule RULE  Only the mutants of this rule
`;

interface Mutant {
  readonly rule: string;
  /** Below packages/server/src. */
  readonly file: string;
  /** Stands in the file once. */
  readonly find: string;
  readonly replace: string;
  /** The rule is broken on this database alone. */
  readonly database?: 'postgres';
}

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

const ROOT = path.join(import.meta.dirname, '..');
const SERVER = path.join(ROOT, 'packages/server');
const FOLDER = mkdtempSync(path.join(tmpdir(), 'svc-mutants-'));
const AT_ONCE = 2;
const LONGEST_MS = 10 * 60_000;
const LEAST = 120;
// Tests that start processes run what was built, which holds no mutant.
const STARTS_PROCESSES = /from '[^']*\/(?:service-process|fleet|command)\.js'/;

const mutants: readonly Mutant[] = JSON.parse(readFileSync(path.join(ROOT, 'scripts/mutants.json'), 'utf8'));
const tests = globSync('{src,test}/**/*.test.ts', { cwd: SERVER }).map((file) => ({
  file,
  text: readFileSync(path.join(SERVER, file), 'utf8'),
}));

const name = ({ rule, file, find }: Mutant) => `${rule.padEnd(3)} ${file}: ${find.split('\n')[0]}`;

/** Mutants that fit no longer what they break. */
const findIll = (chosen: readonly Mutant[]): string[] =>
  chosen.flatMap((mutant) => {
    const source = readFileSync(path.join(SERVER, 'src', mutant.file), 'utf8');
    const count = source.split(mutant.find).length - 1;
    return count === 1 ? [] : [`${name(mutant)} … stands ${count} times in its file`];
  });

function findMissing(): string[] {
  // What a check step shows is not the service's code.
  const without = readSecurityRules().filter(
    ({ rule, shownBy }) =>
      !shownBy.some((file) => file.startsWith('scripts/')) && !mutants.some((mutant) => mutant.rule === rule),
  );
  const few = mutants.length < LEAST ? [`There are ${mutants.length} mutants, and not ${LEAST}`] : [];
  return [...without.map(({ rule }) => `${rule} has no mutant`), ...few];
}

/** The tests of a rule by their states. Those beside the sources come first, because they are quick. */
async function runTests(rule: string, { folder, mutant }: { folder: string; mutant?: Mutant }) {
  const files = tests.filter(
    ({ file, text }) => file.startsWith(folder) && ruleIn(rule).test(text) && !STARTS_PROCESSES.test(text),
  );
  if (files.length === 0) return { passed: 0, failed: 0 };
  const report = path.join(FOLDER, `${rule} ${randomUUID()}.json`);
  const args = [
    '--reporter=json',
    `--outputFile=${report}`,
    '--bail=1',
    '--fsModuleCache=false',
    '-t',
    ruleIn(rule).source,
  ];
  const project = `${mutant?.database ?? 'sqlite'}*`;
  const env = { ...process.env, SVC_TEST_FULL: '', ...(mutant && { SVC_MUTANT: JSON.stringify(mutant) }) };
  await new Promise((resolve) => {
    const all = ['run', '--project', project, ...args, ...files.map(({ file }) => file)];
    execFile('vitest', all, { cwd: SERVER, env, maxBuffer: 2 ** 28, timeout: LONGEST_MS }, resolve);
  });
  // None where the time was over: nothing was shown then.
  if (!existsSync(report)) return { passed: 0, failed: 0 };
  const states = (JSON.parse(readFileSync(report, 'utf8')) as Report).testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ fullName }) => ruleIn(rule).test(fullName))
    .map(({ status }) => status);
  const count = (state: string) => states.filter((each) => each === state).length;
  return { passed: count('passed'), failed: count('failed') };
}

async function isKilled(mutant: Mutant): Promise<boolean> {
  for (const folder of ['src', 'test']) {
    if ((await runTests(mutant.rule, { folder, mutant })).failed > 0) return true;
  }
  return false;
}

/** Without a mutant the tests of a rule pass, and so by themselves. */
async function holdsAlone(rule: string): Promise<boolean> {
  const runs = [await runTests(rule, { folder: 'src' }), await runTests(rule, { folder: 'test' })];
  return runs.every(({ failed }) => failed === 0) && runs.some(({ passed }) => passed > 0);
}

async function eachOf<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const next = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

async function run(chosen: readonly Mutant[]): Promise<string[]> {
  const faults: string[] = [];
  await eachOf([...new Set(chosen.map(({ rule }) => rule))], async (rule) => {
    const holds = await holdsAlone(rule);
    console.log(`${holds ? 'passes' : 'FAILS '}   ${rule} without a mutant`);
    if (!holds) faults.push(`The tests of ${rule} do not pass by themselves`);
  });
  await eachOf(chosen, async (mutant) => {
    const killed = await isKilled(mutant);
    console.log(`${killed ? 'killed' : 'SURVIVES'} ${name(mutant)}`);
    if (!killed) faults.push(`${name(mutant)} survives`);
  });
  console.log(`${chosen.length} mutants of ${new Set(chosen.map(({ rule }) => rule)).size} rules`);
  return faults;
}

process.on('exit', () => rmSync(FOLDER, { recursive: true }));

const { values } = parseArgs({
  options: { help: { type: 'boolean' }, check: { type: 'boolean' }, rule: { type: 'string' } },
});
if (values.help) {
  console.log(HELP);
} else {
  const chosen = mutants.filter(({ rule }) => values.rule === undefined || rule === values.rule);
  const ill = [...findIll(chosen), ...(values.rule ? [] : findMissing())];
  const faults = ill.length > 0 || values.check ? ill : await run(chosen);
  if (values.check && ill.length === 0) console.log(`${mutants.length} mutants fit their files`);
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
