import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { fakeService, handedOn, json } from '../test/fake-service.js';
import type { FetchInit } from './config.js';
import { createClient } from './create-client.js';

const account = { connectionName: 'my_calendar', identifier: 'user/42@x' };
const prefix = 'https://svc.example/v1/proxy/my_calendar/user%2F42%40x';

describe('the proxied request', () => {
  test.each([
    { title: 'a path', request: { path: '/v3/me' }, url: '/v3/me' },
    { title: 'a path without its leading slash', request: { path: '2/me' }, url: '/2/me' },
    {
      title: 'query parameters',
      request: { path: '/x', queryParams: { a: 'b c', n: 1, f: false, u: undefined } },
      url: '/x?a=b+c&n=1&f=false',
    },
    {
      title: 'repeated parameters',
      request: { path: '/x', queryParams: new URLSearchParams('a=1&a=2') },
      url: '/x?a=1&a=2',
    },
    { title: 'a query in the path', request: { path: '/x?a=1', queryParams: { b: 2 } }, url: '/x?a=1&b=2' },
    { title: 'existing escapes unchanged', request: { path: '/a%2Fb%20c' }, url: '/a%2Fb%20c' },
    {
      title: 'percent-encoded spaces and accents',
      request: { path: '/drive/root:/Año nuevo.docx:/content' },
      url: '/drive/root:/A%C3%B1o%20nuevo.docx:/content',
    },
    { title: 'dots inside names', request: { path: '/a..b/.../.well-known' }, url: '/a..b/.../.well-known' },
  ])('contains $title', async ({ request, url }) => {
    const { svc, requests } = fakeService([() => json({})]);
    await svc.request({ ...account, method: 'GET', ...request });
    expect(requests[0]?.url).toBe(prefix + url);
  });

  test.each([
    { title: 'a label', label: 'home & work', query: '?account=x', header: 'home%20%26%20work' },
    { title: 'no label', label: undefined, query: '?account=x', header: '' },
  ])('sends $title in a header, and its whole query to the upstream', async ({ label, query, header }) => {
    const { svc, requests } = fakeService([() => json({})]);
    await svc.request({ ...account, account: label, method: 'GET', path: `/v3/me${query}` });
    expect(requests[0]?.url).toBe(`${prefix}/v3/me${query}`);
    expect(requests[0]?.headers.get('svc-account')).toBe(header);
  });

  test('is not sent with a label that is not valid Unicode', async () => {
    const { svc, requests } = fakeService([() => json({})]);
    await expect(
      svc.request({ ...account, account: '\ud800', method: 'GET', path: '/v3/me' }),
    ).rejects.toMatchObject({ code: 'invalid_request', message: expect.stringContaining('label') });
    expect(requests).toEqual([]);
  });

  test.each([
    '/../../secrets',
    '/a/..',
    '/a/%2e%2E/b',
    '/a/./b',
    '/.\t./b',
    '/a/.. ',
    '/a\\..\\b',
    '/a#b',
    '/..?a=1',
  ])('is refused for the path %j', async (path) => {
    const { svc, requests } = fakeService([() => json({})]);
    await expect(svc.request({ ...account, path, method: 'GET' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    expect(requests).toHaveLength(0);
  });

  test.each(['.', '..'])('is refused for the identifier "%s"', async (identifier) => {
    const { svc, requests } = fakeService([() => json({})]);
    await expect(svc.getAuthorizationLink({ ...account, identifier })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    expect(requests).toHaveLength(0);
  });

  test('contains the method, headers and a JSON body', async () => {
    const { svc, requests } = fakeService([() => json({})]);
    await svc.request({
      ...account,
      path: '/x',
      method: 'PATCH',
      body: { a: [1] },
      headers: { 'X-Version': '3' },
    });
    const [sent] = requests;
    expect(sent?.method).toBe('PATCH');
    expect(sent?.headers.get('content-type')).toBe('application/json');
    expect(sent?.headers.get('x-version')).toBe('3');
    expect(await sent?.json()).toEqual({ a: [1] });
  });

  test.each([
    { title: 'bytes', data: new Uint8Array([0, 255]) },
    { title: 'an ArrayBuffer', data: new Uint8Array([0, 255]).buffer },
    { title: 'a Blob', data: new Blob([new Uint8Array([0, 255])]) },
    { title: 'a stream', data: new Blob([new Uint8Array([0, 255])]).stream() },
  ])('contains $title unchanged', async ({ data }) => {
    const { svc, requests } = fakeService([() => json({})]);
    const headers = { 'Content-Type': 'image/png' };
    await svc.request({ ...account, path: '/x', method: 'PUT', form_data: data, headers });
    expect(requests[0]?.headers.get('content-type')).toBe('image/png');
    expect(new Uint8Array((await requests[0]?.arrayBuffer()) ?? [])).toEqual(new Uint8Array([0, 255]));
  });

  test.each([
    { title: 'bytes', data: new Uint8Array([0, 255]) },
    { title: 'a Blob', data: new Blob(['a']) },
  ])('passes $title unchanged to the fetch of the caller', async ({ data }) => {
    const bodies: unknown[] = [];
    const fetch = async (_url: string, { body }: FetchInit) => {
      bodies.push(body);
      return json({});
    };
    const { svc } = fakeService([], { fetch });
    await svc.request({ ...account, path: '/x', method: 'PUT', form_data: data });
    expect(bodies[0]).toBe(data);
  });
});

describe('the proxied response', () => {
  test.each([
    { title: 'JSON', type: 'application/json; charset=utf-8', body: '{"a":1}', data: { a: 1 } },
    { title: 'JSON of a vendor type', type: 'application/vnd.api+json', body: '[1]', data: [1] },
    { title: 'empty JSON as undefined', type: 'application/json', body: '', data: undefined },
    { title: 'text', type: 'text/csv', body: 'a,b', data: 'a,b' },
    {
      title: 'JSON lines as a Blob',
      type: 'application/jsonl',
      body: '{}\n{}',
      data: new Blob(['{}\n{}']),
    },
    { title: 'bytes as a Blob', type: 'image/png', body: 'png', data: new Blob(['png']) },
  ])('is parsed: $title', async ({ type, body, data }) => {
    const { svc } = fakeService([
      () => new Response(body, { status: 201, headers: { 'content-type': type } }),
    ]);
    const response = await svc.request({ ...account, path: '/x', method: 'GET' });
    expect(response.status).toBe(201);
    expect(response.headers.get('content-type')).toBe(type);
    if (data instanceof Blob && response.data instanceof Blob) {
      expect(await response.data.text()).toBe(await data.text());
    } else {
      expect(response.data).toEqual(data);
    }
  });

  test('is rejected for invalid JSON with a JSON content type', async () => {
    const headers = { 'content-type': 'application/json' };
    const { svc, requests } = fakeService([() => handedOn('{"a":', { headers })]);
    const call = svc.request({ ...account, path: '/x', method: 'GET' });
    await expect(call).rejects.toMatchObject({
      code: 'unexpected_response',
      status: 200,
      requestId: 'req_1',
    });
    expect(requests).toHaveLength(1);
  });

  test('can be a redirect, which the client does not follow', async () => {
    const headers = { location: 'https://files.example/signed' };
    const { svc, requests } = fakeService([() => new Response(null, { status: 302, headers })]);
    const response = await svc.request({ ...account, path: '/x', method: 'GET' });
    expect([response.status, response.headers.get('location')]).toEqual([302, headers.location]);
    expect(requests[0]?.redirect).toBe('manual');
  });
});

describe('a proxied request over the network', () => {
  let server: Server | undefined;

  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  async function serve(listener: RequestListener) {
    const started = createServer(listener);
    server = started;
    await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
    const { port } = started.address() as AddressInfo;
    return createClient({ environmentUrl: `http://127.0.0.1:${port}`, accessToken: 'token' });
  }

  test('uploads a stream in chunks', async () => {
    let arrived: (request: IncomingMessage) => void = () => {};
    const begun = new Promise<IncomingMessage>((resolve) => {
      arrived = resolve;
    });
    const svc = await serve((request, reply) => {
      request.once('data', () => arrived(request));
      request.on('end', () => reply.setHeader('content-type', 'application/json').end('{"stored":true}'));
    });
    let push: ReadableStreamDefaultController<Uint8Array> | undefined;
    const form_data = new ReadableStream<Uint8Array>({
      start(controller) {
        push = controller;
      },
    });
    const call = svc.request({ ...account, path: '/file', method: 'PUT', form_data });
    push?.enqueue(new Uint8Array(10));
    expect((await begun).headers['transfer-encoding']).toBe('chunked');
    push?.close();
    expect((await call).data).toEqual({ stored: true });
  });

  test('downloads a stream in chunks', async () => {
    let finish = () => {};
    const svc = await serve((_, reply) => {
      reply.writeHead(200, { 'content-type': 'application/json' }).write('first');
      finish = () => reply.end('second');
    });
    const response = await svc.request({ ...account, path: '/file', method: 'GET' }, { stream: true });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect(await reader?.read()).toEqual({ done: false, value: 'first' });
    finish();
    expect(await reader?.read()).toEqual({ done: false, value: 'second' });
  });

  test('aborts a streamed download', async () => {
    const svc = await serve((_, reply) => void reply.writeHead(200).write('first'));
    const abort = new AbortController();
    const options = { stream: true, signal: abort.signal } as const;
    const response = await svc.request({ ...account, path: '/file', method: 'GET' }, options);
    abort.abort('enough');
    const error = await response.text().catch((reason: unknown) => reason);
    // Accepts an AbortError too, because Node.js 22 throws it instead of the reason of the signal.
    expect(['enough', 'AbortError']).toContain(error instanceof Error ? error.name : error);
  });

  test('rejects a truncated response', async () => {
    const svc = await serve((_, reply) => {
      reply.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' }).write('half');
      setImmediate(() => reply.destroy());
    });
    const call = svc.request({ ...account, path: '/x', method: 'POST' });
    await expect(call).rejects.toMatchObject({ code: 'connection_failed' });
  });
});
