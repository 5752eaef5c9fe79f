import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { sendRaw } from '../../test/support/requests/send-raw.js';
import { call, closeAll, start } from '../../test/support/upstreams/start-proxy.js';
import { findHiding, hideIn } from './hide-inner-credentials.js';

afterEach(closeAll);

const TOKEN = 'svc_at_secret';
const MIXED = { 'content-type': 'multipart/mixed; boundary="===7330=="' };
const BATCH = '/v1.0/$batch';

/**
 * Returns the batch body that the upstream receives. Also checks that the result is the same for chunks of 1 to 64
 * bytes.
 */
async function sent(headers: Record<string, string>, path: string, text: string): Promise<string> {
  const hiding = findHiding(headers, path);
  if (hiding === undefined) return text;
  const whole = hideIn({ body: Buffer.from(text) }, hiding()).body;
  for (const size of [1, 2, 3, 7, 64]) {
    const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
      Buffer.from(text.slice(index * size, (index + 1) * size)),
    );
    const { body } = hideIn({ body: Readable.from(chunks) }, hiding());
    expect(await buffer(body as Readable)).toEqual(whole);
  }
  return String(whole);
}

/** Builds a part of a batch request in the format that Google's Python client uses. */
const part = (line: string, body = '') =>
  [
    '--===7330==',
    'Content-Type: application/http',
    'MIME-Version: 1.0',
    'Content-Transfer-Encoding: binary',
    'Content-ID: <b29c5de2 + 1>',
    '',
    'POST /calendar/v3/calendars/primary/events?alt=json HTTP/1.1',
    'Content-Type: application/json',
    line,
    'Host: www.googleapis.com',
    '',
    body,
    '',
  ].join('\n');

const hidden = (header: string) =>
  `x-svc-removed${header.slice('authorization'.length).replace(/[^:\s]/g, '-')}`;

const HEADERS = [
  `authorization: Bearer ${TOKEN}`,
  `AUTHORIZATION:Bearer ${TOKEN}`,
  `Authorization : Bearer ${TOKEN}`,
  `Authorization:\n\tBearer\n ${TOKEN}`,
];

test.each(HEADERS)(
  'P5: the header %j is hidden in each part of a batch, and nothing else is',
  async (header) => {
    const body = '{"description":"--\\nAuthorization: as it is"}\nAuthorization: of a text';
    const text = `${part('accept: */*', body)}${part(header, body)}${part(header)}--===7330==--\n`;
    for (const end of ['\n', '\r\n']) {
      const went = await sent(MIXED, '/batch/calendar/v3', text.replaceAll('\n', end));
      expect(went).toBe(text.split(header).join(hidden(header)).replaceAll('\n', end));
      expect(went).not.toContain(TOKEN);
    }
  },
);

test.each([
  {
    title: 'in a header section after blank lines',
    text: `--b\n\n\n\nGET / HTTP/1.1\nAuthorization: Bearer ${TOKEN}\n`,
  },
  { title: 'in the headers of a part', text: `--b\nAuthorization: Bearer ${TOKEN}\n\nGET / HTTP/1.1\n` },
  {
    title: 'in a nested multipart',
    text: `--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\nGET / HTTP/1.1\nAuthorization: ${TOKEN}\n`,
  },
  { title: 'after another boundary', text: `--other\n\nGET / HTTP/1.1\nAuthorization: Bearer ${TOKEN}\n` },
  {
    title: 'between lone carriage returns',
    text: `--b\r\rGET / HTTP/1.1\rAuthorization: Bearer ${TOKEN}\r\r`,
  },
])('P5: a credential $title is hidden', async ({ text }) => {
  const went = await sent(MIXED, '/batch', text);
  expect(went).toHaveLength(text.length);
  expect(went).not.toContain(TOKEN);
  expect(went.split('\n')[0]).toBe(text.split('\n')[0]?.replace(/Auth.*/, (line) => hidden(line)));
});

const inner = (headers: string) =>
  `{ "requests" : [ {"id":"1","url":"/me","headers":{"a":"b"}}, { "method":"PATCH","headers" : ${headers}, "body":{"headers":{"Authorization":"mine"},"authorization":"mine"}} ],"authorization":"mine"}`;

test.each([
  { name: 'Authorization', value: `Bearer ${TOKEN}`, path: BATCH },
  { name: 'authorization', value: `Bearer \\"${TOKEN}\\\\`, path: BATCH },
  { name: '\\u0041uthorization', value: TOKEN, path: '/v1.0/%24BATCH/' },
  { name: 'Authorization', value: TOKEN, path: '/v1.0/$b%61tch' },
])('P5: the header $name of requests in a JSON batch is hidden', async ({ name, value, path }) => {
  const text = inner(`{"x":{"y":1},"${name}" : "${value}","Content-Type":"application/json"}`);
  const went = await sent({ 'content-type': 'application/json' }, path, text);
  const cover = 'x-svc-removed'.padEnd(name.length, '-');
  const left = inner(
    `{"x":{"y":1},"${cover}" : "${'-'.repeat(value.length)}","Content-Type":"application/json"}`,
  );
  expect(went).toBe(left);
});

const escaped = (text: string) =>
  text.replaceAll(/./g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

test('P5: a header is hidden when its name and parent are fully escaped', async () => {
  const text = `{"requests":[{"${escaped('headers')}":{"${escaped('authorization')}":"${TOKEN}"}}]}`;
  const went = await sent({ 'content-type': 'application/json' }, BATCH, text);
  expect(went).toHaveLength(text.length);
  expect(went).not.toContain(TOKEN);
});

// Cuts the body into chunks of these sizes. The longest name that matches has 79 bytes: `authorization`, fully escaped,
// after a quotation mark.
test.each([1, 2, 3, 7, 64, 79, 80, 81, 1024, 200_000])(
  'F9: the search buffers at most the longest matching name of 79 bytes in chunks of %i bytes',
  (size) => {
    const hiding = findHiding({ 'content-type': 'application/json' }, BATCH)?.();
    hiding?.take(Buffer.from('{"requests":[{"headers":{'));
    const name = Buffer.from(`"${'x'.repeat(100_000)}`);
    let sent = 0;
    for (let start = 0; start < name.length; start += size) {
      sent += Number(hiding?.take(name.subarray(start, start + size)).length);
      const read = Math.min(start + size, name.length);
      expect({ read, sent }).toEqual({ read, sent: read <= 79 ? 0 : read });
    }
  },
);

test.each([
  {
    title: 'another content type',
    headers: { 'content-type': 'multipart/related; boundary=b' },
    path: '/upload',
  },
  { title: 'JSON at another path', headers: { 'content-type': 'application/json' }, path: '/v1.0/me' },
])('a body of $title is not searched', ({ headers, path }) => {
  expect(findHiding(headers, path)).toBeUndefined();
});

test.each([
  { 'content-type': 'Multipart/Related; boundary=b' },
  { 'content-type': 'text/plain, multipart/mixed; boundary=b' },
  { 'content-type': 'text/plain' },
  {},
])('P5: a body at a batch path is searched whatever its content type: %j', async (headers) => {
  const went = await sent(headers, '/b%61tch/x', part(HEADERS[0] ?? ''));
  expect(went).not.toContain(TOKEN);
});

test('P5: a batch with an encoded body is refused', () => {
  const headers = { ...MIXED, 'content-encoding': 'gzip' };
  expect(() => findHiding(headers, '/batch')).toThrow(expect.objectContaining({ code: 'invalid_request' }));
});

test('P5: a second Content-Type is refused because the upstream could use the other one', async () => {
  let count = 0;
  const { port } = await start((_, reply) => {
    count += 1;
    reply.end();
  });
  const headers = [
    'authorization',
    'Bearer app_1',
    'Content-Type',
    'text/plain',
    'content-type',
    MIXED['content-type'],
  ];
  const reply = await sendRaw(`http://127.0.0.1:${port}/v1/proxy/conn/user_42/v1/x`, {
    method: 'POST',
    headers,
  });
  expect([reply.status, reply.headers['svc-error'], count]).toEqual([400, 'invalid_request', 0]);
});

test.each([
  { title: 'buffered', padding: 0 },
  { title: 'streamed', padding: 2 ** 21 },
])('P5: no service token reaches an upstream inside a batch that is $title', async ({ padding }) => {
  const { promise: arrived, resolve } = Promise.withResolvers<Buffer>();
  const { port } = await start(async (request, reply) => {
    resolve(await buffer(request));
    reply.end();
  });
  const text = part('authorization: Bearer app_1', 'x'.repeat(padding)).repeat(3);
  const headers = { ...MIXED, 'content-length': String(text.length) };
  const reply = await call(port, { method: 'POST', headers }, Readable.from([Buffer.from(text)]));
  expect(reply.statusCode).toBe(200);
  const body = String(await arrived);
  expect(body).toHaveLength(text.length);
  expect(body).not.toContain('app_1');
});
