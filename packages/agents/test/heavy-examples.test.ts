import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { testFramework } from './support/test-framework.js';
import { type Framework, HEAVY_FOLDER, HEAVY_SECTIONS, writeExamples } from './support/write-examples.js';

const names = Object.keys(HEAVY_SECTIONS) as Framework[];
const cwd = fileURLToPath(new URL('heavy', import.meta.url));

describe.runIf(process.env['SVC_TEST_FULL'])('frameworks of several hundred packages', () => {
  beforeAll(() => {
    const options = ['install', '--frozen-lockfile', '--ignore-scripts'];
    const { status, stdout, stderr } = spawnSync('pnpm', options, { cwd, encoding: 'utf8' });
    expect(status, stdout + stderr).toBe(0);
    writeExamples(HEAVY_SECTIONS, HEAVY_FOLDER);
  }, 300_000);

  test('every README example of these frameworks compiles', () => {
    const { stdout } = spawnSync('tsc', ['-p', HEAVY_FOLDER], { encoding: 'utf8' });
    expect(stdout).toBe('');
  });

  describe.each(names)('%s', (name) => testFramework(name, HEAVY_FOLDER));
});
