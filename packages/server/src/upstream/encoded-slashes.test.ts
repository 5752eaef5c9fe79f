import { expect, test } from 'vitest';
import { canonicalPath } from './canonical-path.js';
import { createEncodedSlashes } from './encoded-slashes.js';
import { createBuildTarget } from './target.js';

const encodedSlashes = createEncodedSlashes(['/api/v4/projects/{}', '/api/v4/groups/{}/files/{}']);

test.each([
  '/api/v4/projects/group%2Fproject',
  '/api/v4/projects/group%2fsub%2Fproject/issues',
  '/api/v4/groups/a%2Fb/files/src%2Fmain.ts',
  '/api/v4/projects/plain/issues',
])('P2: %s is kept byte for byte where the connector allows encoded slashes', (path) => {
  expect(canonicalPath(path, encodedSlashes)).toBe(path);
  expect(createBuildTarget()('https://gitlab.example/base', { path, encodedSlashes }).path).toBe(
    `/base${path}`,
  );
});

test.each([
  '/api/v4/users/a%2Fb',
  '/api/v4/projects/group/issues%2F1',
  '/api/v4%2Fprojects/group%2Fproject',
  '/api/v4/projects%2Fgroup',
  '/api/v4/groups/a%2Fb/issues/c%2Fd',
  '/api/v4/projects/..%2Fadmin',
  '/api/v4/projects/group%2F..%2F..%2Fadmin',
  '/api/v4/projects/group%2F%2e%2e%2Fadmin',
  '/api/v4/projects/group%2F%252e%252e%252Fadmin',
  '/api/v4/projects/group%2F.',
  '/api/v4/projects/group%2F%2Fproject',
  '/api/v4/projects/%2Fproject',
  '/api/v4/projects/group%2F/issues',
  '/api/v4/projects/group%5Cproject',
  '/api/v4/projects/group%2F%00',
])('P1: %s is refused even where the connector allows encoded slashes', (path) => {
  expect(() => canonicalPath(path, encodedSlashes)).toThrow(/^The upstream path /);
});

test('P1: encoded slashes are refused for a connector without them', () => {
  expect(createEncodedSlashes([])).toBeUndefined();
  expect(() => canonicalPath('/api/v4/projects/a%2Fb')).toThrow(/encoded slash/);
});
