import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { partOf } from '../../server/test/support/runner/part-of.js';
import bounds from './bounds.json' with { type: 'json' };

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

function bench(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** Reads the names and titles of the bench parts from `--help`. */
const helpedParts = () =>
  new Map(
    [...bench('--help').stdout.matchAll(/^ {2}([a-z]+) {2,}(.+)$/gm)].map(([, name, title]) => [name, title]),
  );

// Figures to compare, except the start time with `npm start`, because that command may have to build first. The script
// try-start.ts tests it.
const FIGURES = bounds.map(({ figure }) => figure).filter((figure) => figure !== 'start.npmMs');
const PARTS = [...new Set(FIGURES.map((figure) => figure.replace(/\..*/, '')))];

test('each part runs and reports every figure that has a bound', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-bench-test-'));
  const file = path.join(folder, 'figures.json');
  const parts = partOf(PARTS, 1);
  const { status, stdout, stderr } = bench(
    '--quick',
    '--json',
    file,
    ...parts.map((part) => `--only=${part}`),
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const { verdicts } = JSON.parse(readFileSync(file, 'utf8'));
  const figures = FIGURES.filter((figure) => parts.some((part) => figure.startsWith(`${part}.`)));
  expect(verdicts.map(({ figure }: { figure: string }) => figure)).toEqual(figures);
  for (const { measured } of verdicts) expect(measured).toBeTypeOf('number');
  const helped = helpedParts();
  for (const part of parts) expect(stdout).toContain(`\n${helped.get(part)}\n`);
});

test('the parts with many accounts run on PostgreSQL too', () => {
  const [part = ''] = partOf(['scale', 'lists'], 1);
  const { status, stdout, stderr } = bench('--quick', '--postgres', '--only', part);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain(`\n${helpedParts().get(part)}\n`);
});

test('--help lists exactly the parts that have bounds', () => {
  expect(new Set(helpedParts().keys())).toEqual(new Set(PARTS));
});

test.each([
  { args: ['--only', 'nothing'], message: 'There is no part "nothing"; --help lists them.' },
  { args: ['--accounts', 'many'], message: 'Pass positive numbers to --accounts and --executions.' },
  { args: ['hot'], message: "Unexpected argument 'hot'. This command does not take positional arguments" },
])('refuses $args without a stack', ({ args, message }) => {
  const { status, stderr } = bench(...args);
  expect({ status, stderr }).toEqual({ status: 1, stderr: `${message}\n` });
});
