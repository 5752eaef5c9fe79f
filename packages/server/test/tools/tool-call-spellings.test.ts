import { type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signIn } from '../support/service/application.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

let service: Service;
let token = '';
let accountId = '';
let names = { connectionName: '', identifier: '' };

beforeAll(async () => {
  service = await startService({ connectors: ['convintel'] });
  const { id, connectionName, identifier } = await connectAccount(service, 'convintel');
  accountId = id;
  names = { connectionName, identifier };
  token = (await signIn(service)).accessToken;
});

afterAll(() => service.stop());

interface HttpReply {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

// Headers whose values differ between any two calls.
const PASSING = ['date', 'svc-request-id', 'ratelimit', 'content-length'];

const withoutIds = (body: string): unknown =>
  JSON.parse(body, (name, value) => (['requestId', 'executionId'].includes(name) ? 'some' : value));

function post(
  path: string,
  body: Buffer,
  sent: Readonly<Record<string, string | number>>,
): Promise<HttpReply> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...sent };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${service.url}${path}`,
      { method: 'POST', headers, agent: false },
      async (reply) => {
        for (const name of PASSING) delete reply.headers[name];
        resolve({ status: reply.statusCode, headers: reply.headers, body: withoutIds(await text(reply)) });
      },
    );
    outgoing.on('error', reject).end(body);
  });
}

const PATH = '/v1/tools/convintel_users_list/execute';

/**
 * Escapes the URL in another way, so that Fastify handles the call instead of the hot path. Both must respond equally.
 */
const respelled = (path: string): string => path.replace('_', '%5F');

const call = (changed: object = {}) => ({ connectedAccountId: accountId, toolInput: {}, ...changed });

const CALLS: Readonly<Record<string, () => unknown>> = {
  'a call that is right': () => call(),
  'another version': () => call({ schemaVersion: '1.0.0' }),
  'an unknown version': () => call({ schemaVersion: '9.0.0' }),
  'an input that the tool does not take': () => call({ toolInput: { page: 1 } }),
  'a member that nobody knows': () => call({ more: true }),
  'no account': () => ({ toolInput: {} }),
  'an account by its name': () => ({ ...names, toolInput: {} }),
  'an account by a name that nobody has': () => ({ ...names, identifier: 'nobody', toolInput: {} }),
  'an account by its id and its name': () => call(names),
  'an account by half its name': () => ({ connectionName: names.connectionName, toolInput: {} }),
  'an account that is not there': () => call({ connectedAccountId: 'acct_missing' }),
  'an input that is no object': () => call({ toolInput: [] }),
  'a list': () => [],
  'a text': () => 'text',
  'a key of the prototype': () => JSON.parse('{"__proto__":{}}'),
};

test('a tool runs only as the account that the body names', async () => {
  const statusOf = async (body: unknown) => {
    const sent = Buffer.from(JSON.stringify(body));
    return (await post(PATH, sent, { 'content-length': sent.length })).status;
  };
  expect(await statusOf({ ...names, toolInput: {} })).toBe(200);
  expect(await statusOf({ ...names, identifier: 'nobody', toolInput: {} })).toBe(409);
  expect(await statusOf(call(names))).toBe(400);
  expect(await statusOf({ identifier: names.identifier, toolInput: {} })).toBe(400);
  expect(await statusOf({ toolInput: {} })).toBe(400);
});

const repliesTo = async (path: string, body: Buffer, sent: Readonly<Record<string, string>> = {}) => [
  await post(path, body, { ...sent, 'content-length': body.length }),
  await post(respelled(path), body, { ...sent, 'content-length': body.length }),
  await post(path, body, { ...sent, 'transfer-encoding': 'chunked' }),
];

test.each(Object.keys(CALLS))(
  'A11: the response to %s does not depend on the spelling of the URL or the body framing',
  async (title) => {
    const [plain, other, chunked] = await repliesTo(PATH, Buffer.from(JSON.stringify(CALLS[title]?.())));
    expect([other, chunked]).toEqual([plain, plain]);
  },
);

test.each(['', '{', '{"a":1,"a":2}', '[1e400]', '"\\u0000"', '[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]'])(
  'A11: the response to a body of %j does not depend on the spelling',
  async (body) => {
    const [plain, other, chunked] = await repliesTo(PATH, Buffer.from(body));
    expect([other, chunked]).toEqual([plain, plain]);
    expect(plain?.status).toBe(400);
  },
);

test.each([
  { title: 'with an empty authorization header', sent: { authorization: '' }, status: 401 },
  { title: 'with an unknown token', sent: { authorization: 'Bearer svc_at_wrong' }, status: 401 },
  {
    title: 'with 70 headers',
    sent: Object.fromEntries(Array.from({ length: 70 }, (_, n) => [`x-${n}`, 'x'])),
    status: 431,
  },
  {
    title: 'with a body in another encoding',
    sent: { 'content-type': 'application/json; charset=utf-8' },
    status: 200,
  },
])('A11: the response to a call $title does not depend on the spelling', async ({ sent, status }) => {
  const [plain, other, chunked] = await repliesTo(
    PATH,
    Buffer.from(JSON.stringify(call())),
    sent as Record<string, string>,
  );
  expect([other, chunked]).toEqual([plain, plain]);
  expect(plain?.status).toBe(status);
});

test('A11: the response for an unknown tool does not depend on the spelling', async () => {
  const [plain, other, chunked] = await repliesTo(
    '/v1/tools/no_such/execute',
    Buffer.from(JSON.stringify(call())),
  );
  expect([other, chunked]).toEqual([plain, plain]);
  expect(plain?.status).toBe(404);
});
