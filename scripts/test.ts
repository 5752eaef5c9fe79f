import { bringChromium } from './bring-chromium.ts';
import { runSteps, type Step } from './run.ts';
import { takeTemporaryFolder } from './temporary-folder.ts';

const SUMMARY = /Tests\s+(?:(\d+) failed \| )?(\d+) passed(?: \| (\d+) skipped)?/g;

// Everything that SECURITY.md counts is then counted in full.
const isFull = process.argv.includes('--full');
if (isFull) process.env['SVC_TEST_FULL'] = '1';
// Most files of the service run on one of the databases each, on the other one with another commit.
else process.env['SVC_TEST_TURNS'] = '1';

/** Minutes each, for what a change seldom breaks. */
const FULL_ONLY = [
  ['Reproducible build', 'node', 'scripts/check-reproducible.ts'],
  ['Node 22', 'node', 'scripts/check-oldest-node.ts'],
  ['A ninth connector', 'node', 'scripts/check-ninth-connector.ts'],
  ['Mutants', 'node', 'scripts/mutants.ts'],
] as const;

const tests = (title: string, ...packages: string[]): Step => [
  title,
  'turbo',
  ...['--skip-infer', 'run', 'test', '--concurrency=1', '--log-order=grouped'],
  ...packages.map((name) => `--filter=${name}`),
];

bringChromium();
takeTemporaryFolder();
await runSteps([['Checks', 'node', 'scripts/check.ts']]);
// Those of the service take as long as all others together, and begin with them: the longest at the end would run alone.
const lanes = [tests('Tests of the service', '@svc/server'), tests('Other tests', '*', '!@svc/server')];
const printed = await Promise.all(lanes.map((lane) => runSteps([lane])));
await runSteps([
  ['Rules of SECURITY.md', 'node', 'scripts/check-rules.ts'],
  ['Pages by the clock', 'turbo', '--skip-infer', 'run', 'test:quiet', '--log-order=grouped'],
  ['npm start', 'node', 'scripts/try-start.ts'],
  ['npm run demo', 'node', 'scripts/demo.ts'],
  ...(isFull ? FULL_ONLY : []),
]);

// biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of the test runner's summary are taken off.
const summaries = printed.join('').replace(/\u001b\[\d+m/g, '');
const counts = [...summaries.matchAll(SUMMARY)];
const sum = (group: number) => counts.reduce((total, match) => total + Number(match[group] ?? 0), 0);
console.log(`\n${sum(2)} passed, ${sum(1)} failed, ${sum(3)} skipped`);
