import { randomBytes } from 'node:crypto';
import { siteFiles } from '@svc/filesite';
import type { RecordedRequest } from '@svc/sandbox';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ACCOUNT, type FilesiteService, startFilesite } from '../../support/upstreams/start-filesite.js';

const MIB = 1024 * 1024;

let started: FilesiteService;

beforeAll(async () => {
  started = await startFilesite();
});

afterAll(() => started.stop());

beforeEach(() => started.clear());

async function ranges(): Promise<(string | undefined)[]> {
  return (await started.sent('signed')).flatMap(({ method, headers }) =>
    method === 'PUT' ? [headers['content-range']] : [],
  );
}

async function requestsTo(ending: string): Promise<RecordedRequest[]> {
  return (await started.sent('signed')).filter(
    ({ method, path }) => method === 'GET' && path.endsWith(ending),
  );
}

/** Stream in chunks of 999,983 bytes, a prime number: no chunk ends where a range of the upload ends. */
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
  ])('is one request with the content type of the file name: $title', async ({ path, content, type }) => {
    const file = await started.upload(path, content());
    expect(file).toMatchObject({ name: path, size: 5 });
    const requests = await started.sent();
    expect(requests).toMatchObject([{ method: 'PUT', headers: { 'content-type': type }, body: 'small' }]);
    expect((await started.contentOf(path)).toString()).toBe('small');
  });

  test('accepts an empty file and a content type of the caller', async () => {
    const file = await started.upload('empty.txt', new Uint8Array(), { contentType: 'text/x-empty' });
    expect(file).toMatchObject({ size: 0, file: { mimeType: 'text/x-empty' } });
    expect(await started.contentOf('empty.txt')).toHaveLength(0);
  });

  test('can target a folder of another site', async () => {
    const [site] = await started.files.listSites({ search: 'brand' });
    const location = { siteId: `${site?.id}`, path: 'Reports/note.md' };
    await started.files.upload({ ...location, content: new Blob(['note']) });
    expect(await started.files.getFile(location)).toMatchObject({
      parentReference: { name: 'Reports', siteId: site?.id },
    });
  });
});

describe('an existing file name', () => {
  const LARGE = 5 * MIB;

  test.each([
    { title: 'small file', size: 10 },
    { title: 'upload session', size: LARGE },
  ])('is refused, replaced or renamed as requested: $title', async ({ size }) => {
    const path = `taken ${size}.bin`;
    const bytes = () => new Uint8Array(randomBytes(size));
    const [first, second, third] = [bytes(), bytes(), bytes()];
    await started.upload(path, first);

    await expect(started.upload(path, second)).rejects.toMatchObject({
      code: 'upstream_failed',
      status: 409,
      body: { error: { code: 'nameAlreadyExists' } },
    });
    expect((await started.contentOf(path)).equals(first)).toBe(true);
    const renamed = await started.upload(path, second, { conflict: 'rename' });
    expect(renamed.name).toBe(`taken ${size} 1.bin`);
    await started.upload(path, third, { conflict: 'replace' });
    expect((await started.contentOf(path)).equals(third)).toBe(true);
  });
});

describe('an upload above 4 MiB', () => {
  const content = new Uint8Array(randomBytes(20 * MIB));

  test('sends ranges of 5 MiB to the signed URL without a token', async () => {
    const progress: number[] = [];
    const file = await started.upload('large.bin', streamOf(content), {
      size: content.length,
      onProgress: ({ sent, total }) => progress.push(sent / total),
    });
    expect(file).toMatchObject({ name: 'large.bin', size: 20 * MIB });
    expect(progress).toEqual([0.25, 0.5, 0.75, 1]);
    expect((await started.contentOf('large.bin')).equals(content)).toBe(true);
    const requests = (await started.sent('signed')).filter(({ method }) => method === 'PUT');
    expect(requests.map(({ headers }) => Number(headers['content-length']) % 327_680)).toEqual([0, 0, 0, 0]);
    for (const { headers } of requests) expect(headers).not.toHaveProperty('authorization');
  });

  test('reads a stream of unknown size to learn its size', async () => {
    const file = await started.upload('unknown size.bin', streamOf(content.subarray(0, 6 * MIB)));
    expect(file.size).toBe(6 * MIB);
  });

  test.each([
    { title: 'a stream', path: 'resumed stream.bin', open: () => streamOf(content.subarray(0, 11 * MIB)) },
    { title: 'bytes', path: 'resumed bytes.bin', open: () => content.slice(0, 11 * MIB) },
  ])('resumes at the next expected range after a failure: $title', async ({ path, open }) => {
    await started.service.sandbox.dials('filesite', {
      failNext: {
        count: 2,
        after: 1,
        status: 503,
        headers: { 'retry-after': '0' },
        match: { method: 'PUT', path: '/_sharepoint' },
      },
    });
    const file = await started.upload(path, open(), { size: 11 * MIB });
    expect(file.size).toBe(11 * MIB);
    expect((await started.contentOf(path)).equals(content.subarray(0, 11 * MIB))).toBe(true);
    const [a, b, c] = ['0-5242879', '5242880-10485759', '10485760-11534335'].map(
      (r) => `bytes ${r}/11534336`,
    );
    expect(await ranges()).toEqual([a, b, b, b, c]);
    expect(await requestsTo('/uploadSession')).toHaveLength(2);
  });

  test('does not resend a range that arrived although its response was lost', async () => {
    const lossy = siteFiles(started.service.svc, ACCOUNT, { fetch: losing(2) });
    const file = await lossy.upload({ path: 'lost response.bin', content: content.slice(0, 11 * MIB) });
    expect(file.size).toBe(11 * MIB);
    expect(await ranges()).toHaveLength(3);
    expect((await started.contentOf('lost response.bin')).equals(content.subarray(0, 11 * MIB))).toBe(true);
  });

  test('returns the file when the response to the last range was lost', async () => {
    const lossy = siteFiles(started.service.svc, ACCOUNT, { fetch: losing(2) });
    const file = await lossy.upload({ path: 'lost end.bin', content: content.slice(0, 6 * MIB) });
    expect(file).toMatchObject({ name: 'lost end.bin', size: 6 * MIB });
  });

  test('reports an unknown outcome when the file cannot be identified', async () => {
    const lossy = siteFiles(started.service.svc, ACCOUNT, { fetch: losing(2) });
    const upload = { path: 'lost rename.bin', content: content.slice(0, 6 * MIB) };
    await expect(lossy.upload(upload, { conflict: 'rename' })).rejects.toMatchObject({
      code: 'upload_outcome_unknown',
    });
  });

  test('gives up after five failures and cancels the session', async () => {
    await started.service.sandbox.dials('filesite', {
      failNext: {
        count: 9,
        status: 503,
        headers: { 'retry-after': '0' },
        match: { method: 'PUT', path: '/_sharepoint' },
      },
    });
    await expect(started.upload('never.bin', content.slice(0, 5 * MIB))).rejects.toMatchObject({
      code: 'upstream_failed',
      status: 503,
    });
    expect(await ranges()).toHaveLength(5);
    expect((await started.sent('signed')).at(-1)).toMatchObject({ method: 'DELETE', status: 204 });
  });

  test('stops with its abort signal and cancels the session', async () => {
    const stop = new AbortController();
    const options = { signal: stop.signal, onProgress: () => stop.abort(new Error('enough')) };
    await expect(started.upload('stopped.bin', content, options)).rejects.toThrow('enough');
    expect((await started.sent('signed')).at(-1)).toMatchObject({ method: 'DELETE', status: 204 });
    await expect(started.files.getFile({ path: 'stopped.bin' })).rejects.toMatchObject({ status: 404 });
  });

  test.each([
    { title: 'shorter', size: 12 * MIB },
    { title: 'longer', size: 10 * MIB },
  ])('is refused when the stream is $title than its declared size', async ({ size }) => {
    await expect(
      started.upload('wrong size.bin', streamOf(content.subarray(0, 11 * MIB)), { size }),
    ).rejects.toMatchObject({ code: 'invalid_request', message: expect.stringContaining(String(size)) });
  });
});

/** Returns a fetch that sends every request, but drops the response to the PUT with this number, counted from 1. */
function losing(which: number): typeof fetch {
  let puts = 0;
  return async (url, init) => {
    const response = await fetch(url, init);
    if (init?.method !== 'PUT' || ++puts !== which) return response;
    await response.arrayBuffer();
    throw new TypeError('fetch failed');
  };
}
