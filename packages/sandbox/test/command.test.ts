import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

test.each([
  {
    title: 'an unknown option',
    args: ['--prot', '5'],
    message: /^Unknown option '--prot'\. `svc-sandbox --help` lists the options\.\n$/,
  },
  {
    title: 'an argument',
    args: ['5'],
    message: /^Unexpected argument '5'\. `svc-sandbox --help` lists the options\.\n$/,
  },
  { title: 'a port that is not a number', args: ['--port', 'x'], message: /^"x" is not a port\. .*\n$/ },
])('svc-sandbox refuses $title with one line', ({ args, message }) => {
  const { status, stderr } = spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toMatch(message);
});

test('svc-sandbox prints its help', () => {
  const { status, stdout } = spawnSync(process.execPath, [MAIN, '-h'], { encoding: 'utf8' });
  expect(status).toBe(0);
  expect(stdout).toContain('--grant-file <path>');
});
