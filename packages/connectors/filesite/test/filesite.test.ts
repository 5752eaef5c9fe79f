import { describe, expect, test } from 'vitest';
import { type Filesite, filesite, type RecipeClient } from '../src/index.js';
import { contentTypeOf } from '../src/recipes/content-type.js';
import { filePath } from '../src/recipes/file-path.js';

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The recipes on a client that answers by path, and what they asked it. */
function recorded(
  answers: Readonly<Record<string, unknown>>,
  fetch?: (request: Request) => Promise<Response>,
) {
  const asked: Asked[] = [];
  const request = async ({ method, path, headers }: Asked) => {
    asked.push({ method, path, headers });
    return { status: 200, headers: new Headers(), data: answers[path] };
  };
  const account = { connectionName: 'filesite', identifier: 'user_42' };
  // The recipes never ask for a stream, so this one form of the answer is enough.
  const files: Filesite = filesite({ request } as unknown as RecipeClient, account, { fetch });
  return { asked, files };
}

describe('a path', () => {
  test.each([
    { path: 'a b.txt', expected: 'a%20b.txt' },
    { path: '/Reports/Q3 #1 (50 %).xlsx', expected: 'Reports/Q3%20%231%20(50%20%25).xlsx' },
    { path: 'Grüße & Co+.txt', expected: 'Gr%C3%BC%C3%9Fe%20%26%20Co%2B.txt' },
    { path: '100%25.txt', expected: '100%2525.txt' },
  ])('has each name encoded once: $path', ({ path, expected }) => {
    const siteId =
      'contoso.sharepoint.com,59833787-2cf9-4fdf-8782-e53db20768a5,b5b8e6ba-0d3f-4d5b-9c43-3dbbd5a2a0cf';
    expect(filePath({ siteId, path })).toBe(`/v1.0/sites/${siteId}/drive/root:/${expected}`);
  });
});

test.each([
  { name: 'report.PDF', expected: 'application/pdf' },
  { name: 'archive.tar.gz', expected: 'application/gzip' },
  { name: 'constructor', expected: 'application/octet-stream' },
  { name: 'x.constructor', expected: 'application/octet-stream' },
  { name: 'none', expected: 'application/octet-stream' },
])('the type of $name is $expected', ({ name, expected }) => {
  expect(contentTypeOf(name)).toBe(expected);
});

test('a link to the next page gives its path, and never its host', async () => {
  const { asked, files } = recorded({
    '/v1.0/sites?search=plans': {
      value: [{ id: '1' }],
      '@odata.nextLink': 'https://evil.example/base/v1.0/sites?search=plans&$skiptoken=2',
    },
    '/v1.0/sites?search=plans&$skiptoken=2': { value: [{ id: '2' }, { id: '1' }] },
  });
  expect(await files.listSites({ search: 'plans' })).toEqual([{ id: '1' }, { id: '2' }]);
  expect(asked.map(({ path }) => path)).toEqual([
    '/v1.0/sites?search=plans',
    '/v1.0/sites?search=plans&$skiptoken=2',
  ]);
});

test('a signed link stays out of the error when its host does not answer', async () => {
  const { files } = recorded(
    {
      '/v1.0/sites/root/drive/root:/a.txt': {
        name: 'a.txt',
        '@microsoft.graph.downloadUrl': 'https://files.example/a?tempauth=secret',
      },
    },
    async () => {
      throw new TypeError('fetch failed');
    },
  );
  const error: unknown = await files.download({ path: 'a.txt' }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'connection_failed' });
  expect(JSON.stringify(error) + String(error)).not.toContain('secret');
});

test.each([{ start: -1 }, { start: 1.5 }, { start: 5, end: 4 }])(
  'a range that is none is refused: %o',
  async (range) => {
    const { files } = recorded({});
    await expect(files.download({ path: 'a.txt' }, { range })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  },
);
