import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { petsFiles, temporaryFolder, writeFiles } from '../test/fixture.js';
import { runCommand } from './run-command.js';

test('names the packages with the scope of --scope', async () => {
  const [schemas, out] = [writeFiles(temporaryFolder(), petsFiles), temporaryFolder()];
  const run = (...args: readonly string[]) => runCommand(['--schemas', schemas, '--out', out, ...args]);
  expect((await run('--scope', '@acme')).exitCode).toBe(0);
  expect(JSON.parse(readFileSync(join(out, 'pets/package.json'), 'utf8'))).toMatchObject({
    name: '@acme/pets',
    publishConfig: { access: 'restricted' },
  });
  const readme = readFileSync(join(out, 'pets/README.md'), 'utf8');
  expect(readme).toMatch(/^# @acme\/pets$/m);
  expect(readme).toContain("from '@acme/pets';");
  const files = globSync('pets/**/*.{ts,json,md}', { cwd: out });
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter((file) => readFileSync(join(out, file), 'utf8').includes('@svc/pets'))).toEqual([]);
  // The check fails without `--scope`, because the packages in the folder were generated for the scope `@acme`.
  expect((await run('--check')).exitCode).toBe(1);
  expect((await run('--check', '--scope', '@acme')).exitCode).toBe(0);
});

test.each(['acme', '@Acme', '@', '@acme/pets', ''])('refuses the invalid scope "%s"', async (scope) => {
  const { lines, exitCode } = await runCommand(['--scope', scope]);
  expect([exitCode, lines]).toEqual([2, [expect.stringContaining('is not an npm scope')]]);
});
