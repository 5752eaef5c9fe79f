import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const TESTS = path.join(import.meta.dirname, '..');
const PAGE = readFileSync(path.join(TESTS, '../../docs/contributing/tests.md'), 'utf8');

const files = globSync('**/*', { cwd: TESTS, withFileTypes: true, exclude: ['**/node_modules'] })
  .filter((entry) => entry.isFile())
  .map((entry) => path.relative(TESTS, path.join(entry.parentPath, entry.name)));

test('outside test/support, every file is a test in a folder of its subject', () => {
  const misplaced = files.filter(
    (file) => !file.startsWith(`support${path.sep}`) && !/^.+[\\/][^\\/]+\.test\.ts$/.test(file),
  );
  expect(misplaced).toEqual([]);
});

test('docs/contributing/tests.md names the subject of every folder of tests', () => {
  const listed = [...PAGE.matchAll(/^\| `([a-z-]+)\/` \|/gm)].map(([, folder = '']) => folder);
  const folders = new Set(files.map((file) => file.split(path.sep, 1).join()));
  expect(listed).toEqual([...folders].sort());
});
