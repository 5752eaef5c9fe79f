import { bringChromium } from './bring-chromium.ts';
import { runSteps, type Step } from './run.ts';
import { takeTemporaryFolder } from './temporary-folder.ts';

// `npm test` runs the tests that fit into five minutes, and `npm run test:ci` all others. `npm run test:full` runs
// both, and repeats randomized tests more often. The name of a test file determines its command: see
// packages/docs/contributing/tests.md.

type Task = 'test' | 'test:ci';

const SUMMARY = /Tests\s+(?:(\d+) failed \| )?(\d+) passed(?: \| (\d+) skipped)?/g;

const isFull = process.argv.includes('--full');
const isCi = process.argv.includes('--ci');
if (isFull) process.env['SVC_TEST_FULL'] = '1';

/** Steps that only `npm run test:full` includes, because they take minutes and rarely fail. */
const FULL_ONLY: readonly Step[] = [
  ['Reproducible build', 'node', 'scripts/full/check-reproducible.ts'],
  ['Node 22', 'node', 'scripts/full/check-oldest-node.ts'],
  ['A ninth connector', 'node', 'scripts/full/check-ninth-connector.ts'],
  ['Mutants', 'node', 'scripts/mutants/mutants.ts'],
];

const turbo = (title: string, task: string, ...packages: string[]): Step => [
  title,
  'turbo',
  ...['--skip-infer', 'run', task, '--concurrency=1', '--log-order=grouped'],
  ...packages.map((name) => `--filter=${name}`),
];

/**
 * Runs the tests of the service and those of all other packages at the same time, because both take equally long.
 * Returns their output.
 */
async function runTests(task: Task): Promise<string> {
  const lanes = [
    turbo('Tests of the service', task, '@svc/server'),
    turbo('Other tests', task, '*', '!@svc/server'),
  ];
  const printed = await Promise.all(lanes.map((lane) => runSteps([lane])));
  return printed.join('');
}

async function runShort(): Promise<string> {
  await runSteps([['Checks', 'node', 'scripts/check.ts']]);
  const printed = await runTests('test');
  await runSteps([
    ['Security rules', 'node', 'scripts/mutants/check-rules.ts'],
    ['npm start', 'node', 'scripts/try-start.ts'],
    ['npm run demo', 'node', 'scripts/demo.ts'],
  ]);
  return printed;
}

async function runCi(): Promise<string> {
  const printed = await runTests('test:ci');
  const quiet = await runSteps([turbo('Tests of timing', 'test:quiet', '*')]);
  await runSteps([
    ['Security rules', 'node', 'scripts/mutants/check-rules.ts', '--ci'],
    ['Check of releases works', 'node', 'scripts/full/check-release-guards.ts'],
  ]);
  return printed + quiet;
}

bringChromium();
takeTemporaryFolder();
const outputs: string[] = [];
if (!isCi) outputs.push(await runShort());
if (isCi || isFull) outputs.push(await runCi());
if (isFull) await runSteps(FULL_ONLY);

// biome-ignore lint/suspicious/noControlCharactersInRegex: the summary of the test runner has colours.
const summaries = outputs.join('').replace(/\u001b\[\d+m/g, '');
const counts = [...summaries.matchAll(SUMMARY)];
const sum = (group: number) => counts.reduce((total, match) => total + Number(match[group] ?? 0), 0);
console.log(`\n${sum(2)} passed, ${sum(1)} failed, ${sum(3)} skipped`);
