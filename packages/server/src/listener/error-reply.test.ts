import { afterAll, expect, test } from 'vitest';
import { createCallers } from '../caller.js';
import { internalError, ServiceError } from '../errors.js';
import { createLog } from '../log/log.js';
import { TEXT_FORMS } from '../text/text-forms.js';
import { createHttpServer } from './http-server.js';

const INSIDE = 'select * from accounts /srv/svc.db upstream.example';

const FAULTS: Readonly<Record<string, unknown>> = {
  'an error of a library': new Error(INSIDE),
  'an error with a status of the server': Object.assign(new Error(INSIDE), { statusCode: 502 }),
  'what is no error': INSIDE,
  'a fault with a detail for the operator': internalError(INSIDE),
  'an error of ours by its cause': new ServiceError('unavailable', 'Try again.', undefined, {
    cause: new Error(INSIDE),
  }),
};

const EQ = { type: 'object', properties: { kind: { const: 'eq' } }, required: ['kind'] };
const MAX = {
  type: 'object',
  properties: { kind: { const: 'max' }, value: { type: 'number' } },
  required: ['kind', 'value'],
};

const app = await createHttpServer({
  log: createLog('silent'),
  environmentUrl: 'http://localhost',
  trustedProxies: [],
  version: '0.0.0',
  callers: createCallers(),
});
app.get<{ Params: { name: string } }>('/fail/:name', ({ params }) => Promise.reject(FAULTS[params.name]));
app.post(
  '/take',
  {
    schema: {
      body: {
        type: 'object',
        required: ['toolInput'],
        properties: {
          toolInput: {},
          name: { type: 'string', pattern: TEXT_FORMS.name.pattern },
          tags: { type: 'array', maxItems: 2, uniqueItems: true },
          role: { enum: ['reader', 'owner'] },
          count: { type: ['integer', 'null'] },
          approve: {
            anyOf: [
              { type: 'string', enum: ['always', 'destructive', 'never'] },
              { type: 'array', items: { type: 'string' } },
            ],
          },
          rules: {
            type: 'object',
            propertyNames: { pattern: TEXT_FORMS.absolutePath.pattern },
            additionalProperties: { type: 'array', items: { anyOf: [EQ, MAX] } },
          },
        },
        additionalProperties: false,
      },
    },
  },
  async () => ({}),
);
app.get(
  '/list',
  {
    schema: {
      querystring: {
        type: 'object',
        properties: { pageSize: { type: 'integer', minimum: 1 }, pageToken: { type: 'string' } },
        additionalProperties: false,
      },
    },
  },
  async () => ({}),
);
afterAll(() => app.close());

test('the error of a pattern describes the required form', async () => {
  const payload = { toolInput: {}, name: 'My Calendar' };
  const reply = await app.inject({ method: 'POST', url: '/take', payload });
  expect(reply.json().error.message).toBe(`The body is invalid: "name" ${TEXT_FORMS.name.words}.`);
});

test.each([
  { type: 'application/json', says: 'The body is invalid: "toolInput" is required.' },
  {
    type: 'application/x-www-form-urlencoded',
    says: /Content-Type is not supported\. Send application\/json/,
  },
])('the error for a body of $type explains the required type', async ({ type, says }) => {
  const headers = { 'content-type': type };
  const reply = await app.inject({ method: 'POST', url: '/take', headers, payload: '{}' });
  expect(reply.json().error).toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(says),
  });
});

test.each(Object.keys(FAULTS))(
  'A12: %s returns code, message and request id without internal details',
  async (name) => {
    const reply = await app.inject(`/fail/${encodeURIComponent(name)}`);
    expect(reply.statusCode).toBeGreaterThanOrEqual(500);
    const { error } = reply.json();
    expect(Object.keys(error).sort()).toEqual(['code', 'message', 'requestId']);
    expect(error.requestId).toBe(reply.headers['svc-request-id']);
    expect(`${JSON.stringify(reply.headers)}${reply.body}`).not.toMatch(
      /select|accounts|srv|upstream\.example|at .*\.ts/,
    );
  },
);

test.each([
  { body: '[]', says: 'the body must be an object, but an array was given.' },
  { body: '{"toolInput":1,"name":7}', says: '"name" must be a string, but a number was given.' },
  {
    body: '{"toolinput":1,"unlike":2,"role":"reader"}',
    says: '"toolInput" is required; "toolinput" is not a known field; did you mean "toolInput"?; "unlike" is not a known field; known fields: toolInput, name, tags, role, count, approve and rules.',
  },
  {
    body: '{"toolInput":1,"approve":7}',
    says: '"approve" must be a string or an array, but a number was given.',
  },
  {
    body: '{"toolInput":1,"approve":"destructiv"}',
    says: '"approve" must be one of always, destructive and never.',
  },
  {
    body: '{"toolInput":1,"approve":["a",2]}',
    says: '"approve[1]" must be a string, but a number was given.',
  },
  {
    body: '{"toolInput":1,"rules":{"/a/b":[{"kind":"eq"},{"kind":"max","value":"9"}]}}',
    says: '"rules./a/b[1].value" must be a number, but a string was given.',
  },
  {
    body: '{"toolInput":1,"rules":{"A":[{"kind":"min"}]}}',
    says: '"rules" has a field "A", whose name must begin with "/"; "rules.A[0].kind" must be one of eq and max.',
  },
  {
    body: '{"toolInput":1,"tags":["a","a","b"],"role":"king","count":1.5}',
    says: '"tags" must have at most 2 items; "tags" must not repeat an item; items 0 and 1 are equal; "role" must be one of reader and owner; "count" must be an integer or null, but a number with a fraction was given.',
  },
])('the error for the body $body names each field and its rule in words', async ({ body, says }) => {
  const headers = { 'content-type': 'application/json' };
  const reply = await app.inject({ method: 'POST', url: '/take', headers, payload: body });
  expect(reply.json().error.message).toBe(`The body is invalid: ${says}`);
});

test.each([
  { query: 'pageSize=0', says: '"pageSize" must be at least 1.' },
  { query: 'pageSize=ten', says: '"pageSize" must be an integer, but a string was given.' },
  { query: 'page_size=5', says: '"page_size" is not a known field; did you mean "pageSize"?' },
  { query: 'limit=5', says: '"limit" is not a known field; known fields: pageSize and pageToken.' },
])('the error for the query $query speaks of the query', async ({ query, says }) => {
  const reply = await app.inject(`/list?${query}`);
  expect(reply.json().error.message).toBe(`The query is invalid: ${says}`);
});
