import { randomBytes } from 'node:crypto';
import { type DriveItem, type Filesite, filesite, type Upload, type UploadOptions } from '@svc/filesite';
import type { RecordedRequest } from '@svc/sandbox';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Application, signIn } from './application.js';
import { connectAccount, type Service, startService } from './service.js';

const MIB = 1024 * 1024;
const ACCOUNT = { connectionName: 'filesite', identifier: 'user_42' };
const PROXY = '/v1/proxy/filesite/user_42';
const HOUR = 3600 * 1000;

let service: Service;
let application: Application;
let files: Filesite;

beforeAll(async () => {
  service = await startService({ connectors: ['filesite'] });
  application = await signIn(service);
  await connectAccount(service, 'filesite');
  files = filesite(service.svc, ACCOUNT);
});

afterAll(() => service.stop());

beforeEach(async () => {
  await service.sandbox.dials('filesite', { failNext: null, latencyMs: 0 });
  await service.sandbox.clearRequests();
});

const isSigned = ({ path }: RecordedRequest) => path.startsWith('/_sharepoint/');

async function sent(kind: 'signed' | 'api' = 'api'): Promise<RecordedRequest[]> {
  const requests = await service.sandbox.requests('filesite');
  return requests.filter((request) => isSigned(request) === (kind === 'signed'));
}

async function ranges(): Promise<(string | undefined)[]> {
  return (await sent('signed')).flatMap(({ method, headers }) =>
    method === 'PUT' ? [headers['content-range']] : [],
  );
}

async function askedFor(ending: string): Promise<RecordedRequest[]> {
  return (await sent('signed')).filter(({ method, path }) => method === 'GET' && path.endsWith(ending));
}

async function contentOf(path: string): Promise<Buffer> {
  const { stream } = await files.download({ path });
  return Buffer.from(await new Response(stream).arrayBuffer());
}

/** A stream of chunks whose borders fit no range. */
function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let offset = 0;
  return new ReadableStream({
    pull(controller) {
      if (offset >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(offset, offset + 999_983));
      offset += 999_983;
    },
  });
}

const upload = (path: string, content: Upload['content'], options?: UploadOptions) =>
  files.upload({ path, content }, options);

describe('through the proxy', () => {
  test('GET /v1.0/me/sites is forwarded as it is, and the refusal comes back as it is', async () => {
    const reply = await application.call('GET', `${PROXY}/v1.0/me/sites`);
    expect(reply.status).toBe(400);
    expect(reply.headers.has('svc-error')).toBe(false);
    expect(reply.json()).toMatchObject({
      error: { code: 'BadRequest', message: "Resource not found for the segment 'sites'." },
    });
    expect(await sent()).toMatchObject([{ method: 'GET', path: '/v1.0/me/sites' }]);
  });

  test('GET /v1.0/sites/root gives the root site', async () => {
    const { status, data } = await service.svc.request({
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

  test('GET /v1.0/sites/<site_id>/drive/root:/<filename> gives metadata with a download link', async () => {
    const { id } = await files.getRootSite();
    const path = `/v1.0/sites/${id}/drive/root:/welcome.txt`;
    const reply = await application.call('GET', PROXY + path);
    expect(reply.json<DriveItem>()['@microsoft.graph.downloadUrl']).toContain('tempauth=');
    expect((await sent()).at(-1)?.path).toBe(path);
  });

  test('PUT /v1.0/sites/<site_id>/drive/root:/<filename>:/content stores the bytes as they are', async () => {
    const { id } = await files.getRootSite();
    const bytes = randomBytes(1000);
    const { status, data } = await service.svc.request<DriveItem>({
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
    expect(await contentOf('raw.bin')).toEqual(bytes);
  });

  test('a redirect to the content is handed over, not followed', async () => {
    const reply = await application.call('GET', `${PROXY}/v1.0/sites/root/drive/root:/welcome.txt:/content`);
    expect([reply.status, reply.headers.get('location')]).toEqual([
      302,
      expect.stringContaining('tempauth='),
    ]);
    expect(await sent('signed')).toEqual([]);
  });

  test('a path outside of the API is refused', async () => {
    const reply = await application.call('GET', `${PROXY}/beta/sites/root`);
    expect([reply.status, reply.headers.get('svc-error')]).toEqual([400, 'invalid_request']);
    expect(await sent()).toEqual([]);
  });

  test('a throttled request comes back with its Retry-After', async () => {
    await service.sandbox.dials('filesite', {
      failNext: { count: 3, status: 429, headers: { 'retry-after': '31' } },
    });
    const reply = await application.call('GET', `${PROXY}/v1.0/sites/root`);
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, '31']);
    expect(reply.json()).toMatchObject({ error: { code: 'activityLimitReached' } });
  });
});

describe('sites', () => {
  test('are listed whether the user follows them or the search knows them, each once', async () => {
    const names = (await files.listSites()).map(({ displayName }) => displayName);
    expect(names.sort()).toEqual(['Communication site', 'Engineering', 'Launch', 'Marketing']);
  });

  test('are found by a search', async () => {
    const found = await files.listSites({ search: 'brand' });
    expect(found.map(({ displayName }) => displayName)).toEqual(['Marketing']);
  });
});

describe('a download', () => {
  test('gives the metadata and the bytes, from the signed link and without a token', async () => {
    const { file, stream } = await files.download({ path: 'Reports/2026 budget.csv' });
    expect(await new Response(stream).text()).toBe('team,amount\nmarketing,1200\nengineering,3400\n');
    expect(file).toMatchObject({ name: '2026 budget.csv', file: { mimeType: 'text/csv' } });
    const [request, ...others] = await sent('signed');
    expect(others).toEqual([]);
    expect(request?.status).toBe(200);
    expect(request?.headers).not.toHaveProperty('authorization');
  });

  test.each([
    { title: 'from the middle', range: { start: 5, end: 10 }, expected: 'amount' },
    { title: 'to the end', range: { start: 32 }, expected: 'eering,3400\n' },
    { title: 'from the start', range: { end: 3 }, expected: 'team' },
  ])('of a range gives it alone: $title', async ({ range, expected }) => {
    const { stream } = await files.download({ path: 'Reports/2026 budget.csv' }, { range });
    expect(await new Response(stream).text()).toBe(expected);
    expect((await sent('signed')).map(({ status }) => status)).toEqual([206]);
  });

  test('of a range gives it alone from a host that answers with the whole file', async () => {
    await service.sandbox.dials('filesite', {
      failNext: { count: 1, status: 200, body: 'team,amount\n', match: { path: '/_sharepoint' } },
    });
    const { stream } = await files.download({ path: 'welcome.txt' }, { range: { start: 5, end: 7 } });
    expect(await new Response(stream).text()).toBe('amo');
  });

  test('asks for a new link when the first is dead', async () => {
    await service.sandbox.dials('filesite', {
      failNext: { count: 1, status: 401, match: { path: '/_sharepoint' } },
    });
    expect((await contentOf('welcome.txt')).toString()).toContain('Welcome to Communication site');
    expect((await sent('signed')).map(({ status }) => status)).toEqual([401, 200]);
    expect(await sent()).toHaveLength(2);
  });

  test('of a folder is refused in words', async () => {
    await expect(files.download({ path: 'Reports' })).rejects.toMatchObject({
      code: 'not_downloadable',
      message: '"Reports" is a folder. Only files can be downloaded.',
    });
  });

  test('of a range that the file does not have fails with the status of the host', async () => {
    const range = { start: 1_000_000 };
    await expect(files.download({ path: 'welcome.txt' }, { range })).rejects.toMatchObject({
      code: 'upstream_failed',
      status: 416,
    });
  });
});

test('Download URL expires in about 1 hour', async () => {
  const { '@microsoft.graph.downloadUrl': link = '' } = await files.getFile({ path: 'welcome.txt' });
  await service.sandbox.clock.advance(HOUR - 60_000);
  expect((await fetch(link)).status).toBe(200);
  await service.sandbox.clock.advance(120_000);
  expect((await fetch(link)).status).toBe(401);
  await service.sandbox.clock.reset();
});

describe('an upload of up to 4 MiB', () => {
  test.each([
    {
      title: 'bytes',
      path: 'small.txt',
      content: () => new Uint8Array(Buffer.from('small')),
      type: 'text/plain',
    },
    { title: 'a Blob', path: 'small.PDF', content: () => new Blob(['small']), type: 'application/pdf' },
    {
      title: 'a stream',
      path: 'small.strange',
      content: () => new Blob(['small']).stream(),
      type: 'application/octet-stream',
    },
  ])('is one request with the type of the name: $title', async ({ path, content, type }) => {
    const file = await upload(path, content());
    expect(file).toMatchObject({ name: path, size: 5 });
    const requests = await sent();
    expect(requests).toMatchObject([{ method: 'PUT', headers: { 'content-type': type }, body: 'small' }]);
    expect((await contentOf(path)).toString()).toBe('small');
  });

  test('takes an empty file, and a type of the caller', async () => {
    const file = await upload('empty.txt', new Uint8Array(), { contentType: 'text/x-empty' });
    expect(file).toMatchObject({ size: 0, file: { mimeType: 'text/x-empty' } });
    expect(await contentOf('empty.txt')).toHaveLength(0);
  });

  test('lands in a folder of another site', async () => {
    const [site] = await files.listSites({ search: 'brand' });
    const location = { siteId: `${site?.id}`, path: 'Reports/note.md' };
    await files.upload({ ...location, content: new Blob(['note']) });
    expect(await files.getFile(location)).toMatchObject({
      parentReference: { name: 'Reports', siteId: site?.id },
    });
  });
});

describe('a name that is taken', () => {
  const LARGE = 5 * MIB;

  test.each([
    { title: 'in one request', size: 10 },
    { title: 'in a session', size: LARGE },
  ])('is refused, replaced or evaded as the caller wants: $title', async ({ size }) => {
    const path = `taken ${size}.bin`;
    const bytes = () => new Uint8Array(randomBytes(size));
    const [first, second, third] = [bytes(), bytes(), bytes()];
    await upload(path, first);

    await expect(upload(path, second)).rejects.toMatchObject({
      code: 'upstream_failed',
      status: 409,
      body: { error: { code: 'nameAlreadyExists' } },
    });
    expect((await contentOf(path)).equals(first)).toBe(true);
    const renamed = await upload(path, second, { conflict: 'rename' });
    expect(renamed.name).toBe(`taken ${size} 1.bin`);
    await upload(path, third, { conflict: 'replace' });
    expect((await contentOf(path)).equals(third)).toBe(true);
  });
});

describe('an upload above 4 MiB', () => {
  const content = new Uint8Array(randomBytes(20 * MIB));

  test('goes in ranges of 5 MiB to the signed address, without a token', async () => {
    const progress: number[] = [];
    const file = await upload('large.bin', streamOf(content), {
      size: content.length,
      onProgress: ({ sent, total }) => progress.push(sent / total),
    });
    expect(file).toMatchObject({ name: 'large.bin', size: 20 * MIB });
    expect(progress).toEqual([0.25, 0.5, 0.75, 1]);
    expect((await contentOf('large.bin')).equals(content)).toBe(true);
    const requests = (await sent('signed')).filter(({ method }) => method === 'PUT');
    expect(requests.map(({ headers }) => Number(headers['content-length']) % 327_680)).toEqual([0, 0, 0, 0]);
    for (const { headers } of requests) expect(headers).not.toHaveProperty('authorization');
  });

  test('learns the size of a stream by reading it, when it is not told', async () => {
    const file = await upload('unknown size.bin', streamOf(content.subarray(0, 6 * MIB)));
    expect(file.size).toBe(6 * MIB);
  });

  test.each([
    { title: 'a stream', path: 'resumed stream.bin', open: () => streamOf(content.subarray(0, 11 * MIB)) },
    { title: 'bytes', path: 'resumed bytes.bin', open: () => content.slice(0, 11 * MIB) },
  ])('goes on where the session says after a failure: $title', async ({ path, open }) => {
    await service.sandbox.dials('filesite', {
      failNext: {
        count: 2,
        after: 1,
        status: 503,
        headers: { 'retry-after': '0' },
        match: { method: 'PUT', path: '/_sharepoint' },
      },
    });
    const file = await upload(path, open(), { size: 11 * MIB });
    expect(file.size).toBe(11 * MIB);
    expect((await contentOf(path)).equals(content.subarray(0, 11 * MIB))).toBe(true);
    const [a, b, c] = ['0-5242879', '5242880-10485759', '10485760-11534335'].map(
      (r) => `bytes ${r}/11534336`,
    );
    expect(await ranges()).toEqual([a, b, b, b, c]);
    expect(await askedFor('/uploadSession')).toHaveLength(2);
  });

  test('does not send a range again that arrived although its answer was lost', async () => {
    const lossy = filesite(service.svc, ACCOUNT, { fetch: losing(2) });
    const file = await lossy.upload({ path: 'lost answer.bin', content: content.slice(0, 11 * MIB) });
    expect(file.size).toBe(11 * MIB);
    expect(await ranges()).toHaveLength(3);
    expect((await contentOf('lost answer.bin')).equals(content.subarray(0, 11 * MIB))).toBe(true);
  });

  test('finds the file when the answer to the last range was lost', async () => {
    const lossy = filesite(service.svc, ACCOUNT, { fetch: losing(2) });
    const file = await lossy.upload({ path: 'lost end.bin', content: content.slice(0, 6 * MIB) });
    expect(file).toMatchObject({ name: 'lost end.bin', size: 6 * MIB });
  });

  test('says so when nobody can know whether the file is there', async () => {
    const lossy = filesite(service.svc, ACCOUNT, { fetch: losing(2) });
    const upload = { path: 'lost rename.bin', content: content.slice(0, 6 * MIB) };
    await expect(lossy.upload(upload, { conflict: 'rename' })).rejects.toMatchObject({
      code: 'upload_outcome_unknown',
    });
  });

  test('gives up after five failures, and cancels the session', async () => {
    await service.sandbox.dials('filesite', {
      failNext: {
        count: 9,
        status: 503,
        headers: { 'retry-after': '0' },
        match: { method: 'PUT', path: '/_sharepoint' },
      },
    });
    await expect(upload('never.bin', content.slice(0, 5 * MIB))).rejects.toMatchObject({
      code: 'upstream_failed',
      status: 503,
    });
    expect(await ranges()).toHaveLength(5);
    expect((await sent('signed')).at(-1)).toMatchObject({ method: 'DELETE', status: 204 });
  });

  test('ends when its signal does, and cancels the session', async () => {
    const stop = new AbortController();
    const options = { signal: stop.signal, onProgress: () => stop.abort(new Error('enough')) };
    await expect(upload('stopped.bin', content, options)).rejects.toThrow('enough');
    expect((await sent('signed')).at(-1)).toMatchObject({ method: 'DELETE', status: 204 });
    await expect(files.getFile({ path: 'stopped.bin' })).rejects.toMatchObject({ status: 404 });
  });

  test.each([
    { title: 'shorter', size: 12 * MIB },
    { title: 'longer', size: 10 * MIB },
  ])('is refused when the stream is $title than its size', async ({ size }) => {
    await expect(
      upload('wrong size.bin', streamOf(content.subarray(0, 11 * MIB)), { size }),
    ).rejects.toMatchObject({ code: 'invalid_request', message: expect.stringContaining(String(size)) });
  });
});

/** A fetch that loses the answer to one PUT, counted from 1. */
function losing(which: number): (request: Request) => Promise<Response> {
  let puts = 0;
  return async (request) => {
    const response = await fetch(request);
    if (request.method !== 'PUT' || ++puts !== which) return response;
    await response.arrayBuffer();
    throw new TypeError('fetch failed');
  };
}

describe('a name', () => {
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
  ])('arrives as it is: %s', async (path) => {
    const file = await upload(path, new Blob([path]));
    expect(file.name).toBe(path);
    expect((await files.getFile({ path })).id).toBe(file.id);
    expect((await contentOf(path)).toString()).toBe(path);
  });

  test.each([
    { title: 'a colon', path: 'a:b.txt' },
    { title: 'a question mark', path: 'why?.txt' },
    { title: 'a backslash', path: 'a\\b.txt' },
    { title: 'a parent segment', path: 'Reports/../secret.txt' },
    { title: 'an empty segment', path: 'Reports//a.txt' },
    { title: 'a tilde in front', path: '~a.txt' },
    { title: 'nothing', path: '' },
  ])('is refused before anything is sent: $title', async ({ path }) => {
    await expect(upload(path, new Blob(['x']))).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await sent()).toEqual([]);
  });

  test('of a site cannot lead elsewhere', async () => {
    await expect(files.getFile({ siteId: 'root/../me', path: 'a.txt' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    expect(await sent()).toEqual([]);
  });
});
