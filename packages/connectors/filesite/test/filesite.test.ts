import { describe, expect, test } from 'vitest';
import { type RecipeClient, type SiteFiles, siteFiles } from '../src/index.js';
import { contentTypeOf } from '../src/recipes/content-type.js';
import { filePath } from '../src/recipes/file-path.js';

interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Creates the ready-made functions with a fake client, which responds by path, and the list of its requests. */
function recorded(
  responses: Readonly<Record<string, unknown>>,
  fetch?: (request: Request) => Promise<Response>,
  {
    baseUrl = 'https://graph.microsoft.com',
    ...options
  }: { baseUrl?: string | null; fileDomains?: string[] } = {},
) {
  const requests: RecordedRequest[] = [];
  const request = async ({ method, path, headers }: RecordedRequest) => {
    requests.push({ method, path, headers });
    return { status: 200, headers: new Headers(), data: responses[path] };
  };
  const account = { connectionName: 'filesite', identifier: 'user_42' };
  // The type assertion leaves out the streamed form of `request`, because the tested functions never use it.
  const call = async () => ({ baseUrl });
  const client = { request, call } as unknown as RecipeClient;
  const files: SiteFiles = siteFiles(client, account, {
    ...(fetch && { fetch: (url, init) => fetch(new Request(url, init)) }),
    ...options,
  });
  return { requests, files };
}

describe('filePath', () => {
  test.each([
    { path: 'a b.txt', expected: 'a%20b.txt' },
    { path: '/Reports/Q3 #1 (50 %).xlsx', expected: 'Reports/Q3%20%231%20(50%20%25).xlsx' },
    { path: 'Grüße & Co+.txt', expected: 'Gr%C3%BC%C3%9Fe%20%26%20Co%2B.txt' },
    { path: '100%25.txt', expected: '100%2525.txt' },
  ])('encodes each name of the path $path once', ({ path, expected }) => {
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
])('the content type of $name is $expected', ({ name, expected }) => {
  expect(contentTypeOf(name)).toBe(expected);
});

test('follows the path of a next link on the configured host', async () => {
  const { requests, files } = recorded({
    '/v1.0/sites?search=plans': {
      value: [{ id: '1' }],
      '@odata.nextLink': 'https://evil.example/base/v1.0/sites?search=plans&$skiptoken=2',
    },
    '/v1.0/sites?search=plans&$skiptoken=2': { value: [{ id: '2' }, { id: '1' }] },
    '/v1.0/sites?search=circle': { value: [{ id: '3' }], '@odata.nextLink': '/v1.0/sites?search=circle' },
  });
  expect(await files.listSites({ search: 'plans' })).toEqual([{ id: '1' }, { id: '2' }]);
  expect(requests.map(({ path }) => path)).toEqual([
    '/v1.0/sites?search=plans',
    '/v1.0/sites?search=plans&$skiptoken=2',
  ]);
  // Returns only the sites read so far, because the next link leads to a page that was already read, and following it
  // would never end.
  expect(await files.listSites({ search: 'circle' })).toEqual([{ id: '3' }]);
});

test('the error of an unreachable file host contains no signed link', async () => {
  const { files } = recorded(
    {
      '/v1.0/sites/root/drive/root:/a.txt': {
        name: 'a.txt',
        '@microsoft.graph.downloadUrl': 'https://contoso.sharepoint.com/a?tempauth=secret',
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
  'refuses the invalid range %o',
  async (range) => {
    const { files } = recorded({});
    await expect(files.download({ path: 'a.txt' }, { range })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  },
);

/** Creates the ready-made functions for a file with this signed URL, and the list of requests to the URL. */
function linked(link: string, options: { baseUrl?: string | null; fileDomains?: string[] } = {}) {
  const sent: Request[] = [];
  const path = '/v1.0/sites/root/drive/root:/a.txt';
  const item = { name: 'a.txt', '@microsoft.graph.downloadUrl': link };
  const session = { uploadUrl: link };
  const { files } = recorded(
    { [path]: item, [`${path}:/createUploadSession`]: session },
    async (request) => {
      sent.push(request);
      return new Response('content');
    },
    options,
  );
  return { files, sent };
}

const LARGE = new Uint8Array(4 * 1024 * 1024 + 1);

describe('a signed link', () => {
  test.each([
    'http://contoso.sharepoint.com/a',
    'https://contoso.sharepoint.com:8443/a',
    'https://sharepoint.com/a',
    'https://evilsharepoint.com/a',
    'https://contoso.sharepoint.com.evil.example/a',
    'https://evil.example/.sharepoint.com/a',
    'https://contoso.sharepoint.com@evil.example/a',
    'https://me:pass@contoso.sharepoint.com/a',
    'https://evil.example\\.sharepoint.com/a',
    'https://contoso.sharepoint.com./a',
    'http://169.254.169.254/latest/meta-data/',
    'https://127.0.0.1/a',
    'http://localhost:4401/a',
    'https://graph.microsoft.com@evil.example/a',
    'https://graph.microsoft.com:8443/a',
    'file:///etc/passwd',
    'data:text/plain,a',
    '//contoso.sharepoint.com/a',
    '/a',
    '',
  ])('is refused for downloads and uploads if its host is not a file host: %s', async (link) => {
    const { files, sent } = linked(link);
    const refused = { code: 'link_refused', message: expect.not.stringContaining('evil') };
    await expect(files.download({ path: 'a.txt' })).rejects.toMatchObject(refused);
    await expect(files.upload({ path: 'a.txt', content: LARGE })).rejects.toMatchObject(refused);
    expect(sent).toEqual([]);
  });

  test.each([
    { link: 'https://contoso.sharepoint.com/a?b=%2F', options: {} },
    { link: 'https://CONTOSO-my.SharePoint.com:443/a', options: {} },
    { link: 'https://contoso.sharepoint.us/a', options: { fileDomains: ['sharepoint.us'] } },
    { link: 'http://localhost:4401/_sharepoint/a', options: { baseUrl: 'http://localhost:4401/filesite' } },
    { link: 'http://localhost:4401/_sharepoint/a', options: { baseUrl: 'http://127.0.0.1:4401/filesite' } },
  ])(
    'is requested without credentials or automatic redirects for a file host: $link',
    async ({ link, options }) => {
      const { files, sent } = linked(link, options);
      await files.download({ path: 'a.txt' });
      const [request] = sent;
      expect(request?.url).toBe(new URL(link).href);
      expect(request).toMatchObject({ credentials: 'omit', redirect: 'manual' });
      expect([...(request?.headers.keys() ?? [])]).toEqual([]);
    },
  );

  test.each([
    { title: 'a connector without a base URL', baseUrl: null },
    { title: 'an upstream on another port', baseUrl: 'http://localhost:4402/filesite' },
    {
      title: 'an upstream with another port on the loopback address',
      baseUrl: 'http://127.0.0.1:4402/filesite',
    },
    { title: 'an upstream on another machine', baseUrl: 'http://files.example:4401/filesite' },
  ])('is refused for a localhost URL and $title', async ({ baseUrl }) => {
    const { files, sent } = linked('http://localhost:4401/a', { baseUrl });
    await expect(files.download({ path: 'a.txt' })).rejects.toMatchObject({ code: 'link_refused' });
    expect(sent).toEqual([]);
  });
});
