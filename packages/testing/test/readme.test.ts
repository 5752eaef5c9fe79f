import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { EXAMPLES, writeExamples } from './support/write-examples.js';

const isFull = process.env['SVC_TEST_FULL'] === '1';

writeExamples();

describe('the README example of fakes in vitest', async () => {
  await import(/* @vite-ignore */ `${EXAMPLES}fakes.ts`);
});

test.runIf(isFull)('both README examples compile, and fakes accept only replies of the right type', () => {
  const { stdout } = spawnSync('tsc', ['-p', EXAMPLES], { encoding: 'utf8' });
  expect(stdout).toBe('');
});

// Runs only in full runs, because it starts a process with the service and all emulators.
test.runIf(isFull)('the README example of the service runs in node:test', () => {
  const args = ['--test', '--test-reporter=tap', `${EXAMPLES}the-service.ts`];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(status, stdout + stderr).toBe(0);
  expect(stdout).toContain('# pass 2');
});
