import { randomBytes } from 'node:crypto';
import type { DriveItem } from '@svc/filesite';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ACCOUNT, type FilesiteService, startFilesite } from '../../support/upstreams/start-filesite.js';

const PROXY = '/v1/proxy/filesite/user_42';
const HOUR = 3600 * 1000;

let started: FilesiteService;

beforeAll(async () => {
  started = await startFilesite();
});

afterAll(() => started.stop());

beforeEach(() => started.clear());

describe('the proxy of filesite', () => {
  test('GET /v1.0/me/sites is forwarded unchanged, and so is its error', async () => {
    const reply = await started.application.call('GET', `${PROXY}/v1.0/me/sites`);
    expect(reply.status).toBe(400);
    expect(reply.headers.has('svc-error')).toBe(false);
    expect(reply.json()).toMatchObject({
      error: { code: 'BadRequest', message: "Resource not found for the segment 'sites'." },
    });
    expect(await started.sent()).toMatchObject([{ method: 'GET', path: '/v1.0/me/sites' }]);
  });

  test('GET /v1.0/sites/root returns the root site', async () => {
    const { status, data } = await started.service.svc.request({
      ...ACCOUNT,
      method: 'GET',
      path: '/v1.0/sites/root',
    });
    expect(status).toBe(200);
    expect(data).toMatchObject({
      id: expect.stringMatching(/^contoso\.sharepoint\.com,[^,]+,[^,]+$/),
      root: {},
    });
  });

  test('GET /v1.0/sites/<site_id>/drive/root:/<filename> returns metadata with a download link', async () => {
    const { id } = await started.files.getRootSite();
    const path = `/v1.0/sites/${id}/drive/root:/welcome.txt`;
    const reply = await started.application.call('GET', PROXY + path);
    expect(reply.json<DriveItem>()['@microsoft.graph.downloadUrl']).toContain('tempauth=');
    expect((await started.sent()).at(-1)?.path).toBe(path);
  });

  test('PUT /v1.0/sites/<site_id>/drive/root:/<filename>:/content stores the bytes unchanged', async () => {
    const { id } = await started.files.getRootSite();
    const bytes = randomBytes(1000);
    const { status, data } = await started.service.svc.request<DriveItem>({
      ...ACCOUNT,
      method: 'PUT',
      path: `/v1.0/sites/${id}/drive/root:/raw.bin:/content`,
      form_data: new Uint8Array(bytes),
      headers: { 'content-type': 'application/octet-stream' },
    });
    expect(status).toBe(201);
    expect(data).toMatchObject({
      name: 'raw.bin',
      webUrl: 'https://contoso.sharepoint.com/Shared%20Documents/raw.bin',
    });
    expect(await started.contentOf('raw.bin')).toEqual(bytes);
  });

  test('a redirect to the content is returned, not followed', async () => {
    const reply = await started.application.call(
      'GET',
      `${PROXY}/v1.0/sites/root/drive/root:/welcome.txt:/content`,
    );
    expect([reply.status, reply.headers.get('location')]).toEqual([
      302,
      expect.stringContaining('tempauth='),
    ]);
    expect(await started.sent('signed')).toEqual([]);
  });

  test('a path outside of the API is refused', async () => {
    const reply = await started.application.call('GET', `${PROXY}/beta/sites/root`);
    expect([reply.status, reply.headers.get('svc-error')]).toEqual([400, 'invalid_request']);
    expect(await started.sent()).toEqual([]);
  });

  test('a throttled response keeps its Retry-After', async () => {
    await started.service.sandbox.dials('filesite', {
      failNext: { count: 3, status: 429, headers: { 'retry-after': '31' } },
    });
    const reply = await started.application.call('GET', `${PROXY}/v1.0/sites/root`);
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, '31']);
    expect(reply.json()).toMatchObject({ error: { code: 'activityLimitReached' } });
  });
});

describe('the list of sites', () => {
  test('merges followed sites and search results without duplicates', async () => {
    const names = (await started.files.listSites()).map(({ displayName }) => displayName);
    expect(names.sort()).toEqual(['Communication site', 'Engineering', 'Launch', 'Marketing']);
  });

  test('can be searched', async () => {
    const sites = await started.files.listSites({ search: 'brand' });
    expect(sites.map(({ displayName }) => displayName)).toEqual(['Marketing']);
  });
});

describe('a download', () => {
  test('returns the metadata and the bytes, from the signed link without a token', async () => {
    const { file, stream } = await started.files.download({ path: 'Reports/2026 budget.csv' });
    expect(await new Response(stream).text()).toBe('team,amount\nmarketing,1200\nengineering,3400\n');
    expect(file).toMatchObject({ name: '2026 budget.csv', file: { mimeType: 'text/csv' } });
    const [request, ...others] = await started.sent('signed');
    expect(others).toEqual([]);
    expect(request?.status).toBe(200);
    expect(request?.headers).not.toHaveProperty('authorization');
  });

  test.each([
    { title: 'middle', range: { start: 5, end: 10 }, expected: 'amount' },
    { title: 'open end', range: { start: 32 }, expected: 'eering,3400\n' },
    { title: 'start', range: { end: 3 }, expected: 'team' },
  ])('returns only the requested range: $title', async ({ range, expected }) => {
    const { stream } = await started.files.download({ path: 'Reports/2026 budget.csv' }, { range });
    expect(await new Response(stream).text()).toBe(expected);
    expect((await started.sent('signed')).map(({ status }) => status)).toEqual([206]);
  });

  test('returns only the requested range even from a host that ignores ranges', async () => {
    await started.service.sandbox.dials('filesite', {
      failNext: { count: 1, status: 200, body: 'team,amount\n', match: { path: '/_sharepoint' } },
    });
    const { stream } = await started.files.download({ path: 'welcome.txt' }, { range: { start: 5, end: 7 } });
    expect(await new Response(stream).text()).toBe('amo');
  });

  test('requests a new link when the first one has expired', async () => {
    await started.service.sandbox.dials('filesite', {
      failNext: { count: 1, status: 401, match: { path: '/_sharepoint' } },
    });
    expect((await started.contentOf('welcome.txt')).toString()).toContain('Welcome to Communication site');
    expect((await started.sent('signed')).map(({ status }) => status)).toEqual([401, 200]);
    expect(await started.sent()).toHaveLength(2);
  });

  test('is refused for a folder', async () => {
    await expect(started.files.download({ path: 'Reports' })).rejects.toMatchObject({
      code: 'not_downloadable',
      message: '"Reports" is a folder. Choose a file that can be downloaded.',
    });
  });

  test('fails with the 416 of the host for a range beyond the end of the file', async () => {
    const range = { start: 1_000_000 };
    await expect(started.files.download({ path: 'welcome.txt' }, { range })).rejects.toMatchObject({
      code: 'upstream_failed',
      status: 416,
    });
  });
});

test('Download URL expires in about 1 hour', async () => {
  const { '@microsoft.graph.downloadUrl': link = '' } = await started.files.getFile({ path: 'welcome.txt' });
  await started.service.sandbox.clock.advance(HOUR - 60_000);
  expect((await fetch(link)).status).toBe(200);
  await started.service.sandbox.clock.advance(120_000);
  expect((await fetch(link)).status).toBe(401);
  await started.service.sandbox.clock.reset();
});

describe('a file name', () => {
  test.each([
    'with space.txt',
    'Q3 #1.txt',
    '100%.txt',
    '100%25.txt',
    'a+b.txt',
    'you & me.txt',
    'Grüße.txt',
    "it's (new), [really]!.txt",
    '日本語 🎉.txt',
  ])('is stored unchanged: %s', async (path) => {
    const file = await started.upload(path, new Blob([path]));
    expect(file.name).toBe(path);
    expect((await started.files.getFile({ path })).id).toBe(file.id);
    expect((await started.contentOf(path)).toString()).toBe(path);
  });

  test.each([
    { title: 'a colon', path: 'a:b.txt' },
    { title: 'a question mark', path: 'why?.txt' },
    { title: 'a backslash', path: 'a\\b.txt' },
    { title: 'a parent segment', path: 'Reports/../secret.txt' },
    { title: 'an empty segment', path: 'Reports//a.txt' },
    { title: 'a leading tilde', path: '~a.txt' },
    { title: 'an empty path', path: '' },
  ])('is refused before anything is sent: $title', async ({ path }) => {
    await expect(started.upload(path, new Blob(['x']))).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await started.sent()).toEqual([]);
  });

  test('cannot escape through the id of its site', async () => {
    await expect(started.files.getFile({ siteId: 'root/../me', path: 'a.txt' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    expect(await started.sent()).toEqual([]);
  });
});
