import type { IncomingMessage } from 'node:http';
import { buffer, text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { call, closeAll, type Respond, start } from '../../test/support/upstreams/start-proxy.js';
import type { LimitCalls } from '../front/limit-calls.js';

afterEach(closeAll);

const echo: Respond = (request, reply) => {
  reply.end(JSON.stringify({ method: request.method, url: request.url, headers: request.rawHeaders }));
};
const readEcho = async (reply: IncomingMessage) => JSON.parse(await text(reply));
const pairs = (raw: readonly string[]) =>
  raw.flatMap((name, index) => (index % 2 === 0 ? [[name.toLowerCase(), raw[index + 1]]] : []));

test('P2: method, path, query and body are forwarded unchanged below the base URL', async () => {
  const { port } = await start((request, reply) => request.pipe(reply.setHeader('x-url', request.url ?? '')));
  const path = '/v1/proxy/conn/user%2042/v1/a%20b/%25?q=%2F..%2F&q=é';
  const reply = await call(
    port,
    { method: 'PATCH', path: path.replace('é', '%C3%A9') },
    Buffer.from('{"a":1}'),
  );
  expect(reply.headers['x-url']).toBe('/base/v1/a%20b/%25?q=%2F..%2F&q=%C3%A9');
  expect(await text(reply)).toBe('{"a":1}');
});

test('P5: the credential is added once, and the default headers of the connector where they are missing', async () => {
  const { port } = await start(echo);
  const { headers } = await readEcho(
    await call(port, {
      headers: { authorization: 'Bearer caller', 'X-API-KEY': 'mine' },
    }),
  );
  const sent = pairs(headers);
  expect(sent.filter(([name]) => name === 'x-api-key' || name === 'authorization')).toEqual([
    ['x-api-key', 'key first'],
  ]);
  expect(sent.filter(([name]) => name === 'x-version')).toEqual([['x-version', '2022-06-28']]);
});

test('the header of the caller overrides a default header', async () => {
  const { port } = await start(echo);
  const { headers } = await readEcho(
    await call(port, { headers: { 'x-version': '2025-09-03', 'user-agent': 'mine' } }),
  );
  expect(pairs(headers).filter(([name]) => name === 'x-version' || name === 'user-agent')).toEqual([
    ['x-version', '2025-09-03'],
    ['user-agent', 'mine'],
  ]);
});

test.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])('P7: the proxy forwards %s', async (method) => {
  const { port } = await start((request, reply) => reply.setHeader('x-method', request.method ?? '').end());
  const reply = await call(port, { method });
  reply.resume();
  expect(reply.headers['x-method']).toBe(method);
});

test.each(['OPTIONS', 'TRACE'])('P7: the proxy refuses %s', async (method) => {
  const { port } = await start(echo);
  const reply = await call(port, { method });
  reply.resume();
  expect([reply.statusCode, reply.headers['svc-error']]).toEqual([405, 'method_not_allowed']);
  expect(reply.headers.allow).toBe('GET, HEAD, POST, PUT, PATCH, DELETE');
});

test('HEAD returns the length without a body', async () => {
  const { port } = await start((_, reply) => reply.setHeader('content-length', 1234).end());
  const reply = await call(port, { method: 'HEAD' });
  expect([await text(reply), reply.headers['content-length']]).toEqual(['', '1234']);
});

test('P12: the request id is the one of the service, not of the upstream', async () => {
  const { port } = await start((_, reply) => reply.setHeader('svc-request-id', 'fake').end());
  const reply = await call(port);
  reply.resume();
  expect(reply.headers['svc-request-id']).toBe('req-1');
});

test('P8: a redirect is returned', async () => {
  const { port } = await start((_, reply) =>
    reply.writeHead(307, { location: 'https://elsewhere.example/' }).end(),
  );
  const reply = await call(port);
  reply.resume();
  expect([reply.statusCode, reply.headers.location]).toEqual([307, 'https://elsewhere.example/']);
});

test('P8: every Link header is rewritten, and a duplicate Location is dropped', async () => {
  const { port } = await start((_, reply) => {
    const link = ['</base/v1/2>; rel="next"', '</base/v1/9>; rel="last"'];
    reply.statusCode = 307;
    reply.setHeader('link', link).setHeader('location', ['/v1/proxy/conn/bob/x', '/base/v1/y']).end();
  });
  const reply = await call(port);
  reply.resume();
  const at = 'http://svc.example/v1/proxy/conn/user_42/v1';
  expect(reply.headersDistinct['link']).toEqual([`<${at}/2>; rel="next"`, `<${at}/9>; rel="last"`]);
  expect(reply.headersDistinct['location']).toBeUndefined();
});

test('P12: an upstream error is returned unchanged and without svc-error', async () => {
  const { port, executions } = await start((_, reply) =>
    reply.writeHead(429, { 'retry-after': '7', 'svc-error': 'fake' }).end('slow down'),
  );
  const reply = await call(port);
  expect([
    reply.statusCode,
    reply.headers['retry-after'],
    reply.headers['svc-error'],
    await text(reply),
  ]).toEqual([429, '7', undefined, 'slow down']);
  expect(executions).toMatchObject([
    { kind: 'proxy', status: 429, upstreamStatus: 429, errorCode: null, method: 'GET' },
  ]);
});

test.each([401, 404, 500, 502, 503])(
  'P12: a %i of the upstream differs from an error of the service',
  async (status) => {
    const lie = JSON.stringify({ error: { code: 'internal_error', message: 'Not of the service.' } });
    const upstream = await start((_, reply) =>
      reply.writeHead(status, { 'SVC-Error': 'internal_error' }).end(lie),
    );
    const dead = await start((request) => request.socket.destroy());

    const theirs = await call(upstream.port);
    const ours = await call(dead.port);

    expect([theirs.statusCode, theirs.headers['svc-error'], await text(theirs)]).toEqual([
      status,
      undefined,
      lie,
    ]);
    expect([ours.statusCode, ours.headers['svc-error']]).toEqual([502, 'connection_failed']);
    expect(JSON.parse(await text(ours))).toMatchObject({ error: { code: 'connection_failed' } });
    expect(upstream.executions).toMatchObject([{ status, upstreamStatus: status, errorCode: null }]);
    expect(dead.executions).toMatchObject([
      { status: 502, upstreamStatus: null, errorCode: 'connection_failed' },
    ]);
  },
);

test('P9: a compressed body is forwarded without decoding', async () => {
  const compressed = gzipSync('hello '.repeat(1000));
  const { port } = await start((_, reply) =>
    reply.writeHead(200, { 'content-encoding': 'gzip', 'content-length': compressed.length }).end(compressed),
  );
  const reply = await call(port, { headers: { 'accept-encoding': 'gzip' } });
  expect(reply.headers['content-encoding']).toBe('gzip');
  expect((await buffer(reply)).equals(compressed)).toBe(true);
});

test('a malformed Content-Type reaches the upstream', async () => {
  const { port } = await start(echo);
  const { headers } = await readEcho(
    await call(port, { method: 'POST', headers: { 'content-type': 'nonsense;;' } }, Buffer.from('x')),
  );
  expect(pairs(headers)).toContainEqual(['content-type', 'nonsense;;']);
});

test.each(['/v1/proxy/conn/user', '/v1/proxy/conn/user/'])(
  'P2: the root of the base URL is reachable: %s',
  async (path) => {
    const seen: (string | undefined)[] = [];
    const { port } = await start((request, reply) => {
      seen.push(request.url);
      reply.end();
    });
    for (const query of ['', '?tools=docs']) await call(port, { path: path + query });
    expect(seen).toEqual(['/base/', '/base/?tools=docs']);
  },
);

test.each([
  { title: 'a dot segment', path: '/v1/proxy/conn/user/v1/../admin' },
  { title: 'an encoded dot segment', path: '/v1/proxy/conn/user/v1/%2e%2e/admin' },
  { title: 'an encoded slash', path: '/v1/proxy/conn/user/v1/a%2Fb' },
  { title: 'a scheme-relative path', path: '/v1/proxy/conn/user//evil.example/' },
  { title: 'a malformed escape', path: '/v1/proxy/conn/user/v1/%zz' },
  { title: 'an identifier with a control character', path: '/v1/proxy/conn/us%0Aer/v1' },
  { title: 'an identifier that is not UTF-8', path: '/v1/proxy/conn/%ff/v1' },
  { title: 'an identifier that is too long', path: `/v1/proxy/conn/${'x'.repeat(257)}/v1` },
  { title: 'a path that is too long', path: `/v1/proxy/conn/user/${'x'.repeat(8192)}` },
  { title: 'the absolute form', path: 'http://evil.example/v1/proxy/conn/user/v1' },
  { title: 'no identifier', path: '/v1/proxy/conn' },
])('P1: a request with $title is refused and not sent', async ({ path }) => {
  let count = 0;
  const { port } = await start((_, reply) => {
    count += 1;
    reply.end();
  });
  const reply = await call(port, { path });
  reply.resume();
  expect([reply.statusCode, count]).toEqual([400, 0]);
});

test('a 401 renews the credential once and resends a buffered body', async () => {
  const bodies: string[] = [];
  const { port, renewals } = await start(
    async (request, reply) => {
      bodies.push(`${request.headers['x-api-key']} ${await text(request)}`);
      reply.writeHead(bodies.length === 1 ? 401 : 200).end('done');
    },
    { renewed: 'second' },
  );
  const reply = await call(port, { method: 'POST' }, Buffer.from('body'));
  expect([reply.statusCode, await text(reply)]).toEqual([200, 'done']);
  expect(bodies).toEqual(['key first body', 'key second body']);
  expect(renewals).toEqual([1]);
});

test('a second 401 reaches the caller', async () => {
  let count = 0;
  const { port } = await start(
    (_, reply) => {
      count += 1;
      reply.writeHead(401).end(`try ${count}`);
    },
    { renewed: 'second' },
  );
  const reply = await call(port);
  expect([reply.statusCode, await text(reply), count]).toEqual([401, 'try 2', 2]);
});

test('a streamed body is not sent again', async () => {
  let count = 0;
  const { port, renewals } = await start(
    async (request, reply) => {
      count += 1;
      await buffer(request);
      reply.writeHead(401).end('once');
    },
    { renewed: 'second', limits: { holdBytes: 3 } },
  );
  const reply = await call(port, { method: 'POST' }, Buffer.from('body'));
  expect([reply.statusCode, await text(reply), count, renewals]).toEqual([401, 'once', 1, [1]]);
});

test.each([
  { title: 'the limit of the service by default', upstream: {}, header: '"account";r=1;t=1' },
  {
    title: 'the limit of the upstream instead of the default',
    upstream: { ratelimit: '"day";r=5', 'ratelimit-policy': '"day";q=9' },
    header: '"day";r=5',
  },
])('A9: the rate limit headers contain $title', async ({ upstream, header }) => {
  const limitAccount: LimitCalls = (_, response) => {
    response['ratelimit'] = '"account";r=1;t=1';
  };
  const { port } = await start((_, reply) => reply.writeHead(200, { ...upstream }).end(), { limitAccount });
  const reply = await call(port);
  reply.resume();
  expect(reply.headers['ratelimit']).toBe(header);
});

test('P10: the connection to an upstream whose response cannot be rewritten is closed', async () => {
  const closed = Promise.withResolvers<void>();
  const { port } = await start((_, reply) => {
    reply.on('close', closed.resolve);
    reply.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    // Ends no response, and sends more than the buffers between the upstream and the service hold.
    reply.write(Buffer.alloc(16 * 1024 * 1024));
  });
  const reply = await call(port, { method: 'POST', path: '/v1/proxy/conn/user%2042/mcp' });
  reply.resume();
  expect([reply.statusCode, reply.headers['svc-error']]).toEqual([502, 'upstream_failed']);
  await closed.promise;
});
