import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { copyConnectors } from './copy-connectors.js';
import { temporaryFolder } from './fixture.js';

const SCHEMAS = fileURLToPath(new URL('../../../schemas', import.meta.url));
const MAIN = new URL('../dist/main.js', import.meta.url).href;
// Runs only in full test runs, because it takes minutes.
const isFull = process.env['SVC_TEST_FULL'] === '1';

const PROGRAM = `
  process.argv.splice(1, 0, 'svc-codegen');
  await import(${JSON.stringify(MAIN)});
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  console.error(JSON.stringify({ seconds: (userCPUTime + systemCPUTime) / 1e6, megabytes: maxRSS / 1024 }));
`;

test.skipIf(!isFull)(
  'ten thousand tools take less than 40 s of CPU time and 800 MiB',
  { timeout: 1_200_000 },
  () => {
    const [schemas, out] = [temporaryFolder(), temporaryFolder()];
    expect(copyConnectors(SCHEMAS, schemas, 10_000)).toBeGreaterThanOrEqual(10_000);
    const args = ['--input-type=module', '-e', PROGRAM, '--', '--schemas', schemas, '--out', out];
    const { status, stderr, stdout } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    expect(status, stdout.slice(-2000)).toBe(0);
    const { seconds, megabytes } = JSON.parse(stderr);
    expect(seconds).toBeLessThan(40);
    expect(megabytes).toBeLessThan(800);
  },
);
