import { bringChromium } from './bring-chromium.ts';
import { runSteps } from './run.ts';

const SUMMARY = /Tests\s+(?:(\d+) failed \| )?(\d+) passed(?: \| (\d+) skipped)?/g;

// Everything that SECURITY.md counts is then counted in full.
const isFull = process.argv.includes('--full');
if (isFull) process.env['SVC_TEST_FULL'] = '1';

/** Minutes each, for what a change seldom breaks. */
const FULL_ONLY = [
  ['Reproducible build', 'node', 'scripts/check-reproducible.ts'],
  ['Node 22', 'node', 'scripts/check-oldest-node.ts'],
  ['Mutants', 'node', 'scripts/mutants.ts'],
] as const;

bringChromium();
const printed = await runSteps([
  ['Checks', 'node', 'scripts/check.ts'],
  ['Tests', 'turbo', '--skip-infer', 'run', 'test', '--concurrency=2', '--log-order=grouped'],
  ['Rules of SECURITY.md', 'node', 'scripts/check-rules.ts'],
  ['npm start', 'node', 'scripts/try-start.ts'],
  ['npm run demo', 'node', 'scripts/demo.ts'],
  ...(isFull ? FULL_ONLY : []),
]);

// biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of the test runner's summary are taken off.
const counts = [...printed.replace(/\u001b\[\d+m/g, '').matchAll(SUMMARY)];
const sum = (group: number) => counts.reduce((total, match) => total + Number(match[group] ?? 0), 0);
console.log(`\n${sum(2)} passed, ${sum(1)} failed, ${sum(3)} skipped`);
