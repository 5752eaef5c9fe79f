import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../../test/support/processes/new-folder.js';
import { createApp } from '../../test/support/service/create-app.js';
import { createBuiltFiles } from '../listener/built-files.js';
import { addDashboardRoutes } from './dashboard-routes.js';

const PAGE = '<!doctype html><title>Dashboard</title>';
const SCRIPT = 'export const answer = 42;\n'.repeat(100);
const IMAGE = Buffer.from('89504e470d0a1a0a', 'hex');

/** Writes files like the dashboard's build: text files also in compressed form, images only uncompressed. */
function writeDashboard(folder: string): void {
  mkdirSync(path.join(folder, 'assets'), { recursive: true });
  writeFileSync(path.join(folder, 'assets/logo-B1.png'), IMAGE);
  for (const [name, text] of [
    ['index.html', PAGE],
    ['assets/index-A1.js', SCRIPT],
    ['assets/index-C1.css', 'p{}'],
    ['assets/icon-D1.svg', '<svg/>'],
  ] as const) {
    writeFileSync(path.join(folder, name), text);
    writeFileSync(path.join(folder, `${name}.br`), brotliCompressSync(text));
    writeFileSync(path.join(folder, `${name}.gz`), gzipSync(text));
  }
}

async function createDashboard(isBuilt = true) {
  const outside = newFolder();
  writeFileSync(path.join(outside, 'secret.js'), 'outside');
  const folder = path.join(outside, 'dashboard');
  if (isBuilt) writeDashboard(folder);
  const dashboardFiles = createBuiltFiles(folder);
  const app = await createApp((own) =>
    addDashboardRoutes(own, { dashboardFiles, environmentUrl: 'http://localhost:4400' }),
  );
  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });
  return { app, folder, get };
}

test('the root URL redirects to the dashboard', async () => {
  const { app, get } = await createDashboard();
  const reply = await get('/');
  expect([reply.statusCode, reply.headers.location]).toEqual([303, '/dashboard/']);
  expect((await app.inject({ method: 'HEAD', url: '/' })).statusCode).toBe(303);
  expect((await app.inject({ method: 'POST', url: '/' })).statusCode).toBe(405);
});

test.each([
  '/dashboard',
  '/dashboard/',
  '/dashboard/index.html',
  '/dashboard/sign-in',
  '/dashboard/connections/calendar?x=1',
  '/dashboard/accounts/a%2Fb',
  '/dashboard/__proto__',
])('%s is the page and is revalidated each time', async (url) => {
  const { get } = await createDashboard();
  const reply = await get(url);
  expect([reply.statusCode, reply.body]).toEqual([200, PAGE]);
  expect(reply.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    etag: expect.stringMatching(/^"[\w-]{22}-identity-[\w-]{22}"$/),
  });
});

test.each([
  { url: '/dashboard/assets/index-A1.js', type: 'text/javascript; charset=utf-8' },
  { url: '/dashboard/assets/index-C1.css', type: 'text/css; charset=utf-8' },
  { url: '/dashboard/assets/icon-D1.svg', type: 'image/svg+xml' },
  { url: '/dashboard/assets/logo-B1.png', type: 'image/png' },
])('$url is $type and is cached forever', async ({ url, type }) => {
  const { get } = await createDashboard();
  const { statusCode, headers } = await get(url);
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({
    'content-type': type,
    'cache-control': 'public, max-age=31536000, immutable',
  });
});

const asItIs = (bytes: Buffer) => bytes;

test.each([
  { accept: undefined, encoding: undefined, decode: asItIs },
  { accept: 'identity', encoding: undefined, decode: asItIs },
  { accept: 'deflate, zstd', encoding: undefined, decode: asItIs },
  { accept: 'gzip', encoding: 'gzip', decode: gunzipSync },
  { accept: 'gzip, deflate, br, zstd', encoding: 'br', decode: brotliDecompressSync },
  { accept: 'br;q=0, gzip;q=0.5', encoding: 'gzip', decode: gunzipSync },
  { accept: 'BR', encoding: 'br', decode: brotliDecompressSync },
])('a script with Accept-Encoding $accept is encoded as $encoding', async ({ accept, encoding, decode }) => {
  const { get } = await createDashboard();
  const reply = await get('/dashboard/assets/index-A1.js', accept ? { 'accept-encoding': accept } : {});
  expect(reply.headers['content-encoding']).toBe(encoding);
  expect(reply.headers['content-length']).toBe(String(reply.rawPayload.length));
  expect(reply.headers.vary).toBe('Accept-Encoding');
  expect(decode(reply.rawPayload).toString()).toBe(SCRIPT);
});

test('an uncompressed file is sent unchanged', async () => {
  const { get } = await createDashboard();
  const reply = await get('/dashboard/assets/logo-B1.png', { 'accept-encoding': 'br' });
  expect([reply.headers['content-encoding'], reply.rawPayload]).toEqual([undefined, IMAGE]);
});

test('HEAD has the same headers without the body', async () => {
  const { app, get } = await createDashboard();
  for (const url of ['/dashboard/', '/dashboard/assets/index-A1.js']) {
    const { date: _, 'svc-request-id': __, ...headers } = (await get(url)).headers;
    const head = await app.inject({ method: 'HEAD', url });
    expect([head.statusCode, head.body]).toEqual([200, '']);
    expect(head.headers).toMatchObject(headers);
  }
});

test('a cached file gets 304', async () => {
  const { get } = await createDashboard();
  for (const accept of ['br', 'gzip', 'identity']) {
    const encoding = { 'accept-encoding': accept };
    const { etag = '' } = (await get('/dashboard/', encoding)).headers;
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const reply = await get('/dashboard/sign-in', { ...encoding, 'if-none-match': String(known) });
      expect([reply.statusCode, reply.body]).toEqual([304, '']);
      expect(reply.headers).toMatchObject({
        etag,
        'cache-control': 'no-cache',
        vary: 'Accept-Encoding, Sec-Fetch-Site',
      });
    }
    const other = await get('/dashboard/', { ...encoding, 'if-none-match': '"other"' });
    expect(other.statusCode).toBe(200);
  }
});

test.each([
  '/dashboard/assets/../../secret.js',
  '/dashboard/../secret.js',
  '/dashboard/assets/%2e%2e/%2e%2e/secret.js',
  '/dashboard/..%2fsecret.js',
  '/dashboard/..%5csecret.js',
  '/dashboard/..\\secret.js',
  '/dashboard/%252e%252e/secret.js',
  '/dashboard//etc/passwd',
  '/dashboard/assets/index-A1.js/../../../secret.js',
  '/dashboard/assets/index-A1.js%00.html',
  '/dashboard/assets',
  '/dashboard/assets/',
  '/dashboard/assets/index-Z9.js',
  '/dashboard/assets/index-A1.js.br',
  '/dashboard/assets/INDEX-A1.js',
  '/dashboard/index.html.gz',
  '/dashboard/%',
])('%s is not a file', async (url) => {
  const { get } = await createDashboard();
  const reply = await get(url);
  expect([PAGE, expect.stringContaining('"error"')]).toContainEqual(reply.body);
  expect(reply.statusCode === 200).toBe(reply.body === PAGE);
});

test('D2: the dashboard runs no external or inline script and cannot be framed', async () => {
  const { get } = await createDashboard();
  for (const url of ['/dashboard/', '/dashboard/sign-in', '/dashboard/assets/index-A1.js']) {
    const { headers } = await get(url);
    expect(headers).toMatchObject({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      'strict-transport-security': 'max-age=31536000',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'permissions-policy': expect.stringContaining('camera=()'),
    });
  }
});

test.each([
  // Old browsers and other clients do not send Sec-Fetch-Site, so a missing value is treated as cross-site.
  ...[undefined, '', 'cross-site', 'same-site', 'None', 'none, cross-site'].map((site) => ({
    site,
    policy: 'same-origin',
  })),
  ...['none', 'same-origin'].map((site) => ({ site, policy: undefined })),
])(
  'D2: other sites have no access to the window of the dashboard: opened by $site',
  async ({ site, policy }) => {
    const { get } = await createDashboard();
    for (const url of ['/dashboard', '/dashboard/sign-in', '/dashboard/index.html']) {
      const { headers } = await get(url, site === undefined ? {} : { 'sec-fetch-site': site });
      expect([headers['cross-origin-opener-policy'], headers.vary]).toEqual([
        policy,
        'Accept-Encoding, Sec-Fetch-Site',
      ]);
    }
  },
);

test('D2: a page that the user opened has another etag than one that another site opened', async () => {
  const { get } = await createDashboard();
  const { etag = '' } = (await get('/dashboard', { 'sec-fetch-site': 'none' })).headers;
  const known = { 'if-none-match': String(etag) };
  expect((await get('/dashboard', { ...known, 'sec-fetch-site': 'none' })).statusCode).toBe(304);
  const reply = await get('/dashboard', { ...known, 'sec-fetch-site': 'cross-site' });
  expect([reply.statusCode, reply.headers['cross-origin-opener-policy']]).toEqual([200, 'same-origin']);
});

describe('a dashboard that is not built', () => {
  test('responds 404 with the build command until it is built', async () => {
    const { get, folder } = await createDashboard(false);
    for (const url of ['/dashboard', '/dashboard/sign-in']) {
      const reply = await get(url);
      expect(reply.statusCode).toBe(404);
      expect(reply.json().error.message).toMatch(/^The dashboard is not built\. Run `npm start`/);
    }
    writeDashboard(folder);
    expect((await get('/dashboard')).body).toBe(PAGE);
  });
});

test('the dashboard files are read once', async () => {
  const { get, folder } = await createDashboard();
  await get('/dashboard/');
  const other = newFolder();
  writeDashboard(other);
  writeFileSync(path.join(other, 'index.html'), 'changed');
  cpSync(other, folder, { recursive: true });
  expect((await get('/dashboard/')).body).toBe(PAGE);
});

describe('the preload header of the overview', () => {
  const SESSION = `svc-session=${'s'.repeat(43)}`;
  const OVERVIEW = '/operator/v1/overview';
  const ahead = (query = '') => `<${OVERVIEW}${query}>; rel=preload; as=fetch; crossorigin`;

  test.each([
    { title: 'names the first application', url: '/dashboard', cookie: SESSION, link: ahead() },
    {
      title: 'names the last application',
      url: '/dashboard/',
      cookie: `${SESSION}; svc-application=app_1.a-b`,
      link: ahead('?applicationId=app_1.a-b'),
    },
    { title: 'is absent without a session', url: '/dashboard', cookie: 'svc-application=app_1' },
    { title: 'is absent with an invalid session', url: '/dashboard', cookie: 'svc-session=short' },
    { title: 'is absent on other pages', url: '/dashboard/health', cookie: SESSION },
    { title: 'is absent for files', url: '/dashboard/assets/index-A1.js', cookie: SESSION },
    ...['app%0d%0aset-cookie:a=b', 'app_1>; rel=preload', 'a/../b', '', 'a&b', 'a'.repeat(257)].map(
      (last) => ({
        title: `ignores the application ${JSON.stringify(last.slice(0, 24))}`,
        url: '/dashboard',
        cookie: `${SESSION}; svc-application=${last}`,
      }),
    ),
  ])('$title', async ({ url, cookie, ...given }) => {
    const { get } = await createDashboard();
    const { statusCode, headers } = await get(url, { cookie });
    expect([statusCode, headers.link]).toEqual([200, 'link' in given ? given.link : undefined]);
  });

  test('changes the etag of the page, so that it differs per session and application', async () => {
    const { get } = await createDashboard();
    const cookies = ['', SESSION, `${SESSION}; svc-application=app_1`];
    const tags = await Promise.all(
      cookies.map(async (cookie) => String((await get('/dashboard', { cookie })).headers.etag)),
    );
    for (const tag of tags) {
      const replies = await Promise.all(
        cookies.map((cookie) => get('/dashboard', { cookie, 'if-none-match': tag })),
      );
      expect(replies.map(({ statusCode }) => statusCode)).toEqual(
        tags.map((each) => (each === tag ? 304 : 200)),
      );
    }
  });
});
