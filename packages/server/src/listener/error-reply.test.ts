import { afterAll, expect, test } from 'vitest';
import { createCallers } from '../caller.js';
import { ServiceError } from '../errors.js';
import { createLog } from '../log/log.js';
import { TEXT_FORMS } from '../text/text-forms.js';
import { createHttpServer } from './http-server.js';

const INSIDE = 'select * from accounts /srv/svc.db upstream.example';

const FAULTS: Readonly<Record<string, unknown>> = {
  'an error of a library': new Error(INSIDE),
  'an error with a status of the server': Object.assign(new Error(INSIDE), { statusCode: 502 }),
  'what is no error': INSIDE,
  'an error of ours by its cause': new ServiceError('unavailable', 'Try again.', undefined, {
    cause: new Error(INSIDE),
  }),
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
        properties: { toolInput: {}, name: { type: 'string', pattern: TEXT_FORMS.name.pattern } },
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
  { type: 'application/json', says: 'The body is invalid: "toolInput" is missing.' },
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
