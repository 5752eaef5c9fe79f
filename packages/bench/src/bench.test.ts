import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

function bench(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('every part runs, and gives every figure that must hold', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-bench-test-'));
  const file = path.join(folder, 'figures.json');
  const { status, stdout, stderr } = bench('--quick', '--json', file);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const bounds = JSON.parse(readFileSync(new URL('bounds.json', import.meta.url), 'utf8'));
  const { verdicts } = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(folder, { recursive: true });
  const figuresOf = (all: readonly { figure: string }[]) => all.map(({ figure }) => figure);
  // npm start, which may have to build first, has a test of its own.
  expect(figuresOf(verdicts)).toEqual(figuresOf(bounds).filter((figure) => figure !== 'start.npmMs'));
  for (const { measured } of verdicts) expect(measured).toBeTypeOf('number');
  expect(stdout).toContain('hand-written floor');
});

test('a part that does not exist is refused with one sentence', () => {
  const { status, stderr } = bench('--only', 'nothing');
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'There is no part "nothing"; --help lists them.\n',
  });
});
