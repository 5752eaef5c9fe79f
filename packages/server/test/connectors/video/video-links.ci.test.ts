import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { firstText, mintToken, runAgent } from '../../support/mcp/agent.js';
import { signInOperator } from '../../support/service/operator.js';
import { type FileHost, file, startFileHost, status } from '../../support/upstreams/start-file-host.js';
import { startVideo, type VideoService } from '../../support/upstreams/start-video.js';

vi.mock(import('../../../src/tools/sleep.js'), () => ({ sleep: async () => undefined }));

const MIB = 1024 * 1024;
const UPLOAD = '/upload/youtube/v3/videos';
const INPUT = { title: 'Gears' };
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let host: FileHost;
let video: VideoService;

beforeAll(async () => {
  host = await startFileHost();
  video = await startVideo({ linkOrigin: host.origin });
});

afterAll(async () => {
  await video.stop();
  host.stop();
});

beforeEach(async () => {
  host.requests.splice(0);
  await video.clear();
});

const upload = (url: string, more: object = {}) =>
  video.execute('videos_insert', { ...INPUT, content_url: url, ...more });
const sent = () => video.service.sandbox.requests('video');
const failNext = (failure: object) =>
  video.service.sandbox.dials('video', {
    failNext: { count: 1, status: 503, match: { method: 'PUT', path: UPLOAD }, ...failure },
  });

/** Content of `size` bytes that is different in each part, so that a wrong order of the parts is noticed. */
const content = (size: number) =>
  Buffer.alloc(size, Array.from({ length: 9973 }, (_, n) => `${n},`).join(''));

describe('a video by link', () => {
  const SIZE = 9 * MIB + 5;

  test.each([
    { title: 'with a known size', respond: file(content(SIZE)), total: SIZE, announced: String(SIZE) },
    {
      title: 'with an unknown size',
      respond: (response: ServerResponse) =>
        void response.writeHead(200, { 'content-type': 'video/mp4' }).end(content(SIZE)),
      total: '*',
      announced: undefined,
    },
  ])('is uploaded in chunks: a file $title', async ({ respond, total, announced }) => {
    const reply = await upload(host.put('/film.mp4', respond), { privacy_status: 'unlisted' });
    expect(reply.json()).toMatchObject({
      data: { id: expect.any(String), snippet: INPUT, status: { privacyStatus: 'unlisted' } },
      schemaVersion: '1.1.0',
    });
    const [open, ...parts] = await sent();
    expect(open).toMatchObject({ method: 'POST', path: UPLOAD, query: { uploadType: 'resumable' } });
    expect(open?.headers).toMatchObject({ 'x-upload-content-type': 'video/mp4' });
    expect(open?.headers['x-upload-content-length']).toBe(announced);
    expect(parts.map(({ headers }) => headers['content-range'])).toEqual([
      `bytes 0-${4 * MIB - 1}/${total}`,
      `bytes ${4 * MIB}-${8 * MIB - 1}/${total}`,
      `bytes ${8 * MIB}-${SIZE - 1}/${SIZE}`,
    ]);
    expect(parts.map(({ body }) => body).join('') === content(SIZE).toString()).toBe(true);
    expect(host.requests).toMatchObject([{ path: '/film.mp4' }]);
    expect(Object.keys(host.requests[0]?.headers ?? {}).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
  });

  test.each([
    { title: 'binary', headers: { 'content-type': 'binary/octet-stream' } },
    { title: 'without a type', headers: {} },
  ])('may be a file that its host announces as $title', async ({ headers }) => {
    const reply = await upload(host.put('/plain', file('film', headers)));
    expect(reply.json()).toMatchObject({ data: { snippet: INPUT } });
    const [open] = await sent();
    expect(open?.headers).toMatchObject({ 'x-upload-content-type': 'application/octet-stream' });
  });

  test('is found after five redirects, and not after six', async () => {
    const last = host.put('/last', file('film'));
    for (let left = 1; left <= 6; left += 1)
      host.put(`/hop${left}`, status(302, { location: left === 1 ? last : `/hop${left - 1}` }));
    expect((await upload(`${host.origin}/hop5#t=10`)).status).toBe(200);
    const refused = await upload(`${host.origin}/hop6`);
    expect(refused.json()).toMatchObject({
      error: {
        code: 'invalid_input',
        message:
          '"content_url" redirects more than 5 times. Pass a link that downloads the file itself, without a login.',
      },
    });
  });

  test.each([
    { title: 'a failed part', failure: {}, ranges: ['0-3', '*', '0-3'] },
    { title: 'a failed part and status request', failure: { count: 2 }, ranges: ['0-3', '*', '*', '0-3'] },
  ])('is resumed after $title', async ({ failure, ranges }) => {
    await failNext(failure);
    const reply = await upload(host.put('/film.mp4', file('film')));
    expect(reply.json()).toMatchObject({ data: { snippet: INPUT } });
    const [, ...parts] = await sent();
    expect(parts.map(({ headers }) => headers['content-range'])).toEqual(
      ranges.map((range) => `bytes ${range}/4`),
    );
  });

  test('works at the MCP endpoint', async () => {
    const token = await mintToken(video.service);
    const name = 'video_videos_insert';
    const params = { name, arguments: { ...INPUT, content_url: host.put('/film.mp4', file('film')) } };
    const good = await runAgent(video.service, { method: 'tools/call', params }, { token });
    expect(good.message.result).toMatchObject({ structuredContent: { snippet: INPUT } });
    const page = { ...INPUT, content_url: host.put('/page', status(200, { 'content-type': 'text/html' })) };
    const bad = await runAgent(
      video.service,
      { method: 'tools/call', params: { name, arguments: page } },
      { token },
    );
    expect(firstText(bad.message.result ?? {})).toContain(
      '"content_url" leads to a web page instead of a file',
    );
  });
});

const cutOff =
  (headers: Readonly<Record<string, string>> = {}) =>
  (response: ServerResponse) =>
    void response
      .writeHead(200, { 'content-type': 'video/mp4', ...headers })
      .write(content(9 * MIB), () => response.destroy());

describe('a link is refused before anything is sent to the platform', () => {
  test.each([
    { title: 'http', url: 'http://films.example/a.mp4', rule: 'linkForm' },
    { title: 'another port', url: 'https://films.example:8443/a.mp4', rule: 'linkForm' },
    { title: 'a password', url: 'https://ada:secret@films.example/a.mp4', rule: 'linkForm' },
    { title: 'another scheme', url: 'file:///etc/passwd', rule: 'linkForm' },
    { title: 'a private address', url: 'https://10.0.0.7/a.mp4', rule: 'linkAddress' },
    {
      title: "the address of a cloud's metadata",
      url: 'https://169.254.169.254/latest',
      rule: 'linkAddress',
    },
    { title: 'an unlisted loopback port', url: 'https://127.0.0.1/a.mp4', rule: 'linkAddress' },
    { title: 'a host name of this machine', url: 'https://localhost/a.mp4', rule: 'linkAddress' },
    { title: 'a host without an address', url: 'https://films.invalid/a.mp4', rule: 'linkUnreachable' },
  ])('N3, N4: with $title', async ({ url, rule }) => {
    await video.expectRefused('videos_insert', { ...INPUT, content_url: url }, rule);
  });

  test.each([
    { title: '404', respond: status(404), rule: 'linkStatus' },
    { title: '403', respond: status(403), rule: 'linkStatus' },
    { title: '500', respond: status(500), rule: 'linkStatus' },
    { title: 'a part of the file', respond: status(206), rule: 'linkStatus' },
    { title: 'a redirect without a target', respond: status(302), rule: 'linkStatus' },
    {
      title: 'a redirect to a private address',
      respond: status(302, { location: 'https://10.0.0.7/a' }),
      rule: 'linkAddress',
    },
    {
      title: 'a redirect to http',
      respond: status(307, { location: 'http://films.example/a' }),
      rule: 'linkForm',
    },
    {
      title: 'a redirect to a password',
      respond: status(307, { location: 'https://a:b@films.example/' }),
      rule: 'linkForm',
    },
    {
      title: 'a web page',
      respond: status(200, { 'content-type': 'text/html; charset=utf-8' }),
      rule: 'linkType',
    },
    { title: 'a web page without a type', respond: status(200), rule: 'linkType' },
    { title: 'a picture', respond: file(PNG, { 'content-type': 'image/png' }), rule: 'linkType' },
    { title: 'a strange type', respond: file('film', { 'content-type': '<b>' }), rule: 'linkType' },
    { title: 'an empty file', respond: file(''), rule: 'minBytes' },
    {
      title: 'a compressed file',
      respond: file('film', { 'content-encoding': 'gzip' }),
      rule: 'linkEncoding',
    },
    {
      title: 'more bytes than the maximum',
      respond: (response: ServerResponse) =>
        response
          .writeHead(200, { 'content-type': 'video/mp4', 'content-length': 250 * MIB + 1 })
          .flushHeaders(),
      rule: 'maxBytes',
    },
    {
      title: 'a closed connection',
      respond: (response: ServerResponse) => void response.destroy(),
      rule: 'linkUnreachable',
    },
    {
      title: 'a file without a marked end',
      respond: (response: ServerResponse) =>
        void response.socket?.end(
          'HTTP/1.1 200 OK\r\ncontent-type: video/mp4\r\nconnection: close\r\n\r\nfilm',
        ),
      rule: 'linkIncomplete',
    },
  ])('N3, N4: whose host answers with $title', async ({ respond, rule }) => {
    await video.expectRefused('videos_insert', { ...INPUT, content_url: host.put('/wrong', respond) }, rule);
  });

  test('N3: and the audit log names a host without a public address', async () => {
    await upload('https://10.0.0.8/a.mp4');
    const { app, url, clientId } = video.service;
    const operator = await signInOperator({ url, ...(await app.operators.create('ada', 'owner')) });
    const audited = await operator.call('GET', '/audit-events?action=address.refused&object=10.0.0.8');
    expect(audited.json()).toMatchObject({ items: [{ applicationId: clientId, object: '10.0.0.8' }] });
  });

  test('together with bytes, or without both', async () => {
    const link = { content_url: `${host.origin}/film.mp4` };
    await video.expectRefused('videos_insert', { ...INPUT, ...link, content: 'AAAA' }, 'exactlyOneOf');
    await video.expectRefused('videos_insert', INPUT, 'exactlyOneOf');
    expect(host.requests).toEqual([]);
  });

  test('by the earlier version of the tool, which has no links', async () => {
    const reply = await video.application.call('POST', '/v1/tools/video_videos_insert/execute', {
      body: {
        connectedAccountId: video.account.id,
        schemaVersion: '1.0.0',
        toolInput: { ...INPUT, content_url: `${host.origin}/film.mp4` },
      },
    });
    expect(reply.json()).toMatchObject({ error: { code: 'invalid_input' } });
    expect(host.requests).toEqual([]);
  });
});

test('a signed link is in no error and no execution', async () => {
  const replies = [
    await upload(host.put('/film?signature=secret-of-ada', file('film'))),
    await upload(host.put('/gone?signature=secret-of-ada', status(403))),
    await upload('https://10.0.0.7/film?signature=secret-of-ada'),
  ];
  expect(replies.map((reply) => reply.status)).toEqual([200, 400, 400]);
  const executions = await video.application.call('GET', '/v1/executions?toolName=video_videos_insert');
  expect(executions.json<{ items: unknown[] }>().items.length).toBeGreaterThanOrEqual(3);
  const [, refused] = executions.json<{ items: { id: string }[] }>().items;
  const one = await video.application.call('GET', `/v1/executions/${refused?.id}`);
  expect([...replies, executions, one].map(({ text }) => text).join()).not.toContain('secret-of-ada');
});

test('a link is read through the egress proxy, and the error names the proxy', async () => {
  const targets: (string | undefined)[] = [];
  const proxy = createServer().on('connect', (request, socket) => {
    targets.push(request.url);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  const proxied = await startVideo({ env: { HTTPS_PROXY: `http://127.0.0.1:${port}` } });
  onTestFinished(async () => {
    await proxied.service.stop();
    proxy.close();
  });
  const input = { ...INPUT, content_url: 'https://films.example/a.mp4' };
  const reply = await proxied.execute('videos_insert', input);
  expect(reply.json()).toMatchObject({
    error: { code: 'invalid_input', message: expect.stringContaining('through the egress proxy') },
  });
  expect(targets).toEqual(['films.example:443']);
});

describe('an upload that fails in the middle says that no video was created', () => {
  const errorOf = async (url: string) => (await upload(url)).json<{ error: { message: string } }>().error;

  test.each([
    { title: 'breaks off', respond: cutOff({ 'content-length': String(20 * MIB) }) },
    { title: 'breaks off without a known size', respond: cutOff() },
  ])('when the link $title', async ({ respond }) => {
    const error = await errorOf(host.put('/cut', respond));
    expect(error).toMatchObject({ code: 'invalid_input', details: { errors: [{ rule: 'linkIncomplete' }] } });
    expect(error.message).toMatch(
      /^"content_url" has a host that stopped after \d+ bytes of the file\. .+ No video was created\.$/,
    );
  });

  test.each([
    {
      title: 'refuses the metadata',
      failure: { status: 400, match: { method: 'POST', path: UPLOAD } },
      code: 'upstream_failed',
    },
    { title: 'refuses a part', failure: { status: 400 }, code: 'upstream_failed' },
    { title: 'has lost the session', failure: { status: 404 }, code: 'upstream_failed' },
  ])('when the platform $title', async ({ failure, code }) => {
    await failNext(failure);
    const error = await errorOf(host.put('/film.mp4', file('film')));
    expect(error).toMatchObject({ code, message: expect.stringMatching(/No video was created\./) });
  });

  test('except that the outcome is unknown when the response to the last part stays lost', async () => {
    await failNext({ count: 9 });
    const error = await errorOf(host.put('/film.mp4', file('film')));
    expect(error).toMatchObject({
      code: 'upstream_failed',
      message: expect.stringContaining('it is unknown whether the video was created'),
      details: { repeatable: false },
    });
  });
});

describe('a dry run', () => {
  const dryRun = async (tool: string, toolInput: object) =>
    (
      await video.application.call('POST', `/v1/tools/video_${tool}/execute`, {
        body: { connectedAccountId: video.account.id, toolInput, dryRun: true },
      })
    ).json();
  const NOTE = expect.stringContaining('A dry run does not open links.');

  test('opens no link and says so', async () => {
    const link = host.put('/film.mp4', file('film'));
    expect(await dryRun('videos_insert', { ...INPUT, content_url: link })).toMatchObject({
      dryRun: {
        requests: [{ method: 'POST', path: `/video${UPLOAD}`, isSent: false, body: { snippet: INPUT } }],
        isComplete: false,
        unknown: expect.arrayContaining([NOTE]),
      },
    });
    expect(await dryRun('thumbnails_set', { video_id: 'adaEngine01', image_url: link })).toMatchObject({
      dryRun: { requests: [], isComplete: false, unknown: [NOTE] },
    });
    expect([host.requests, await sent()]).toEqual([[], []]);
  });

  test('refuses a link that is not https', async () => {
    const reply = await dryRun('videos_insert', { ...INPUT, content_url: 'http://films.example/a.mp4' });
    expect(reply).toMatchObject({ error: { details: { errors: [{ rule: 'linkForm' }] } } });
  });
});

describe('a thumbnail by link', () => {
  const set = (url: string) => video.execute('thumbnails_set', { video_id: 'adaEngine01', image_url: url });

  test('is uploaded in one request', async () => {
    expect((await set(host.put('/a.png', file(PNG, { 'content-type': 'image/png' })))).status).toBe(200);
    expect(await sent()).toMatchObject([{ method: 'POST', headers: { 'content-type': 'image/png' } }]);
  });

  test.each([
    {
      title: 'more than 2 MiB',
      respond: file(Buffer.alloc(2 * MIB + 1), { 'content-type': 'image/png' }),
      rule: 'maxBytes',
    },
    { title: 'another type', respond: file('GIF89a', { 'content-type': 'image/gif' }), rule: 'linkType' },
    {
      title: 'bytes that are no picture',
      respond: file('film', { 'content-type': 'image/png' }),
      rule: 'imageType',
    },
  ])('is refused for $title', async ({ respond, rule }) => {
    const input = { video_id: 'adaEngine01', image_url: host.put('/wrong.png', respond) };
    await video.expectRefused('thumbnails_set', input, rule);
  });
});
