import { expect, test } from 'vitest';
import { credentialHash } from '../../src/recorder.js';
import { ada, EVENTS, HOUR, sandbox, useCalendar } from './setup.js';

useCalendar();

interface Part {
  readonly id: string | undefined;
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: expectations read any property of a response
  readonly body: any;
}

const inner = (lines: readonly string[], body = '') => [...lines, '', body].join('\r\n');

const asPart = (request: string, at: number) =>
  `--the boundary\r\nContent-Type: application/http\r\nContent-ID: <one + ${at}>\r\n\r\n${request}\r\n`;

const batchOf = (requests: readonly string[]) => `${requests.map(asPart).join('')}--the boundary--\r\n`;

async function send(body: string, { path = '/batch/calendar/v3', headers = {} } = {}): Promise<Response> {
  return fetch(`${sandbox.upstream('calendar').baseUrl}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${ada.token}`,
      'content-type': 'multipart/mixed; boundary="the boundary"',
      ...headers,
    },
    body,
  });
}

async function partsOf(response: Response): Promise<readonly Part[]> {
  const boundary = /^multipart\/mixed; boundary=(\S+)$/.exec(response.headers.get('content-type') ?? '')?.[1];
  const text = await response.text();
  expect(text.endsWith(`--${boundary}--\r\n`)).toBe(true);
  return text
    .split(`--${boundary}\r\n`)
    .slice(1)
    .map((part) => {
      const [outer = '', head = '', ...rest] = part.split('\r\n\r\n');
      const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(head) ?? [];
      const body = rest.join('\r\n\r\n').replace(/\r\n(?:--.*\r\n)?$/, '');
      expect(outer).toContain('Content-Type: application/http');
      expect(head).toContain(`content-length: ${Buffer.byteLength(body)}`);
      return {
        id: /Content-ID: (.*)/.exec(outer)?.[1],
        status: Number(status),
        body: body.startsWith('{') ? JSON.parse(body) : body,
      };
    });
}

/** Returns the status and the error message of a batch that is rejected as a whole. */
async function refusalOf(response: Response) {
  const { error } = (await response.json()) as { readonly error: { readonly message: string } };
  return [response.status, error.message];
}

const GET_LIST = inner(['GET /calendar/v3/users/me/calendarList HTTP/1.1']);

test('runs each request of a batch like a single request and keeps their order', async () => {
  const insertion = inner(
    [`POST ${EVENTS}?fields=summary HTTP/1.1`, 'Content-Type: application/json'],
    JSON.stringify({ ...HOUR, summary: 'A – long\r\n\r\nday' }),
  );
  const missing = inner([`GET ${EVENTS}/none`, 'accept: */*']);
  const parts = await partsOf(await send(batchOf([insertion, missing, GET_LIST])));
  expect(parts.map(({ id, status }) => [id, status])).toEqual([
    ['<response-one + 0>', 200],
    ['<response-one + 1>', 404],
    ['<response-one + 2>', 200],
  ]);
  expect(parts[0]?.body).toEqual({ summary: 'A – long\r\n\r\nday' });
  expect(parts[1]?.body.error.errors[0].reason).toBe('notFound');
  expect(parts[2]?.body.items).toHaveLength(3);
});

test('applies the headers and the query of the batch to each request that has none', async () => {
  const own = inner(['GET /calendar/v3/users/me/calendarList?fields=kind', 'Authorization: Bearer another']);
  const parts = await partsOf(
    await send(batchOf([GET_LIST, own]), { path: '/batch/calendar/v3?fields=etag' }),
  );
  expect(parts.map(({ status, body }) => [status, Object.keys(body)])).toEqual([
    [200, ['etag']],
    [401, ['error']],
  ]);
  const tokens = (await sandbox.requests('calendar')).map((request) => request.authorizationHash);
  expect(tokens).toContain(credentialHash('Bearer another'));
});

test('charges quota for each request of a batch', async () => {
  await sandbox.dials('calendar', { quotaPerMinute: 2 });
  const parts = await partsOf(await send(batchOf([GET_LIST, GET_LIST, GET_LIST])));
  expect(parts.map(({ status }) => status)).toEqual([200, 200, 403]);
});

test('accepts only paths of its own API, also with the prefix of the sandbox', async () => {
  const paths = [
    '/calendar/calendar/v3/colors',
    '/batch/calendar/v3',
    '/calendar/v3/../../calendar/batch/calendar/v3',
    '/token',
    '/youtube/v3/videos',
    '/_sandbox/requests',
  ];
  const parts = await partsOf(await send(batchOf(paths.map((path) => inner([`GET ${path} HTTP/1.1`])))));
  expect(parts.map(({ status }) => status)).toEqual([200, 404, 404, 404, 404, 404]);
});

test.each([
  ['an empty batch', ''],
  ['a batch without parts', '--the boundary--\r\n'],
  ['another boundary', batchOf([GET_LIST]).replaceAll('the boundary', 'another')],
  ['an absolute URL', batchOf([inner(['GET https://www.googleapis.com/calendar/v3/colors HTTP/1.1'])])],
  ['a part with another content type', batchOf([GET_LIST]).replace('application/http', 'application/json')],
  ['a batch with one malformed part', batchOf([GET_LIST, 'GET'])],
])('refuses %s', async (_, body) => {
  expect(await refusalOf(await send(body))).toEqual([400, 'Failed to parse batch request.']);
});

test('refuses JSON and more than 1000 requests', async () => {
  const json = await send('{}', { headers: { 'content-type': 'application/json' } });
  expect(json.status).toBe(400);
  const many = await send(batchOf(Array.from({ length: 1001 }, () => GET_LIST)));
  expect(await refusalOf(many)).toEqual([400, 'A batch has at most 1000 requests.']);
});
