import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { applyFault, type Fault } from '../../packages/server/test/support/runner/mutant.ts';
import { locateMutant, type Mutant } from './locate-mutant.ts';
import { ruleIn } from './security-rules.ts';

export interface RuleRun {
  /** Number of passed tests whose titles contain the security rule's number. */
  readonly passed: number;
  readonly failed: number;
  /** Number of test files that failed before any of their tests ran, or that did not report in time. */
  readonly broken: number;
}

/**
 * Kinds of test files, the fastest first: unit tests next to the sources, flows in one process, and tests that start
 * processes.
 */
export const KINDS = ['unit', 'flows', 'processes'] as const;
type Kind = (typeof KINDS)[number];

interface Report {
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

const SERVER = path.join(import.meta.dirname, '../../packages/server');
// Fixed seed of generated test data, because the result for a mutant must not depend on the commit.
const SEED = '20261120';
const LONGEST_MS = 10 * 60_000;
const IN_THREADS = path.join(SERVER, 'test/support/runner/mutant-thread.ts');
const PROCESS = path.join('test/support/processes', 'service-process.ts');
const NOTHING: RuleRun = { passed: 0, failed: 0, broken: 0 };

const run = promisify(execFile);

const readTest = (file: string) => readFileSync(path.join(SERVER, file), 'utf8');

/** Checks whether a test file starts the built service as a process, directly or through an import. */
function startsProcesses(file: string, seen = new Set<string>()): boolean {
  if (file === PROCESS) return true;
  if (seen.has(file) || !existsSync(path.join(SERVER, file))) return false;
  seen.add(file);
  const imported = [...readTest(file).matchAll(/from '(\.[^']+)\.js'/g)].map(([, name = '']) =>
    path.join(path.dirname(file), `${name}.ts`),
  );
  return imported.some((each) => each.startsWith('test') && startsProcesses(each, seen));
}

function kindOf(file: string): Kind {
  if (startsProcesses(file)) return 'processes';
  return file.startsWith('src') ? 'unit' : 'flows';
}

const tests = globSync('{src,test}/**/*.test.ts', { cwd: SERVER }).map((file) => ({
  file,
  text: readTest(file),
  kind: kindOf(file),
}));

/**
 * Builds the service with a mutant's fault in a folder inside packages/server, because dependencies resolve from that
 * path.
 */
async function buildFault(fault: Fault): Promise<string> {
  const folder = path.join(SERVER, `.mutant-${randomUUID()}`);
  mkdirSync(folder);
  for (const name of [
    'src',
    'build',
    'package.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'tsup.config.ts',
  ])
    cpSync(path.join(SERVER, name), path.join(folder, name), { recursive: true });
  const file = path.join(folder, 'src', fault.file);
  writeFileSync(file, applyFault(readFileSync(file, 'utf8'), fault));
  await run('tsup', ['--silent'], { cwd: folder });
  return folder;
}

function readReport(file: string, rule: string): RuleRun {
  // A missing report means that the test run timed out, so its test files count as broken.
  if (!existsSync(file)) return { ...NOTHING, broken: 1 };
  const { testResults }: Report = JSON.parse(readFileSync(file, 'utf8'));
  const states = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ fullName }) => ruleIn(rule).test(fullName))
    .map(({ status }) => status);
  const count = (state: string) => states.filter((each) => each === state).length;
  const broken = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((each) => each.status === 'failed'),
  );
  return { passed: count('passed'), failed: count('failed'), broken: broken.length };
}

async function runFiles(
  rule: string,
  { files, database, env }: { files: readonly string[]; database: string; env: NodeJS.ProcessEnv },
): Promise<RuleRun> {
  const report = path.join(SERVER, '.vitest', `${randomUUID()}.json`);
  const options = ['--reporter=json', `--outputFile=${report}`, '--bail=1'];
  const args = ['run', '--project', `${database}*`, ...options, '-t', ruleIn(rule).source, ...files];
  // Ignores the exit code of Vitest, because the report contains the outcome.
  await run('vitest', args, { cwd: SERVER, env, maxBuffer: 2 ** 28, timeout: LONGEST_MS }).catch(
    () => undefined,
  );
  const outcome = readReport(report, rule);
  rmSync(report, { force: true });
  return outcome;
}

/** Runs only the tests of one security rule, with few repetitions. */
export async function runRule(
  rule: string,
  { kind, mutant }: { kind: Kind; mutant?: Mutant },
): Promise<RuleRun> {
  const files = tests
    .filter((test) => test.kind === kind && ruleIn(rule).test(test.text))
    .map(({ file }) => file);
  if (files.length === 0) return NOTHING;
  const database = mutant?.database ?? 'sqlite';
  const env = { ...process.env, SVC_TEST_FULL: '', SVC_TEST_SEED: SEED };
  if (mutant === undefined) return runFiles(rule, { files, database, env });
  const fault = locateMutant(mutant);
  // Applies the mutant's fault in the Vitest process and its threads. Tests of every kind may create a service in their
  // own process.
  const given = { ...env, SVC_MUTANT: JSON.stringify(fault), NODE_OPTIONS: `--import=${IN_THREADS}` };
  if (kind !== 'processes') return runFiles(rule, { files, database, env: given });
  const folder = await buildFault(fault);
  try {
    const main = path.join(folder, 'dist/main.js');
    return await runFiles(rule, { files, database, env: { ...given, SVC_TEST_MAIN: main } });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
