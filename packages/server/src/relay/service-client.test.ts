import { expect, test } from 'vitest';
import type { HttpRequest, SendHttp } from '../http/send-http.js';
import { createServiceClient, isTemporary } from './service-client.js';

interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const TOKEN: Reply = { status: 200, body: { access_token: 'token', expires_in: 3600 } };
const PAGE: Reply = { status: 200, body: { items: [], nextPageToken: 'next' } };
const EXPIRED: Reply = { status: 401, body: { error: { code: 'unauthorized', message: 'Expired.' } } };

/** Creates a client whose requests get the given responses, one after another. */
function createClient(replies: readonly Reply[], environmentUrl = 'https://svc.example.com/base') {
  const left = [...replies];
  const sent: string[] = [];
  const send = async ({ method, origin, path }: HttpRequest) => {
    sent.push(`${method} ${origin}${path}`);
    const { status, body, headers = {} } = left.shift() ?? PAGE;
    const chunk = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    return { status, headers, body: { drain: async (take: (chunk: Buffer) => void) => take(chunk) } };
  };
  const { signal } = new AbortController();
  const credentials = { clientId: 'app_1', clientSecret: 'hush' };
  // The cast is safe, because the client uses only these parts of a response.
  const client = createServiceClient({ send: send as SendHttp, environmentUrl, ...credentials, signal });
  return { client, sent };
}

const SIGN_IN = 'POST https://svc.example.com/base/oauth/token';
const LIST = 'GET https://svc.example.com/base/v1/events';

test('signs in once, and lists events below the path of the service', async () => {
  const { client, sent } = createClient([TOKEN, PAGE, PAGE]);
  await client.listEvents({ wait: 20, after: 'latest' });
  await client.listEvents({ wait: 20, pageToken: 'next', types: 'account.deleted' });
  expect(sent).toEqual([
    SIGN_IN,
    `${LIST}?wait=20&after=latest`,
    `${LIST}?wait=20&pageToken=next&types=account.deleted`,
  ]);
});

test('signs in again when its access token has expired', async () => {
  const { client, sent } = createClient([TOKEN, EXPIRED, TOKEN, PAGE]);
  expect(await client.listEvents({ wait: 0 })).toEqual(PAGE.body);
  expect(sent).toEqual([SIGN_IN, `${LIST}?wait=0`, SIGN_IN, `${LIST}?wait=0`]);
});

test.each([
  { title: 'a rate limit', reply: { status: 429, body: {}, headers: { 'retry-after': '7' } }, retryAfter: 7 },
  { title: 'an overload', reply: { status: 503, body: 'Bad gateway' }, retryAfter: undefined },
])('repeats a request after $title', async ({ reply, retryAfter }) => {
  const error = await createClient([TOKEN, reply])
    .client.listEvents({ wait: 0 })
    .catch((failure: unknown) => failure);
  expect(error).toSatisfy(isTemporary);
  expect(error).toMatchObject(
    retryAfter === undefined ? { details: undefined } : { details: { retryAfter } },
  );
});

test.each([
  { title: 'a page of another server', replies: [TOKEN, { status: 200, body: '<html>' }] },
  { title: 'a sign-in at another server', replies: [{ status: 404, body: 'Not found' }] },
  { title: 'an access token that stays refused', replies: [TOKEN, EXPIRED, TOKEN, EXPIRED] },
  { title: 'a response of 9 MiB', replies: [TOKEN, { status: 200, body: 'a'.repeat(9 * 2 ** 20) }] },
])('ends with an error after $title', async ({ replies }) => {
  const error = await createClient(replies)
    .client.listEvents({ wait: 0 })
    .catch((failure: unknown) => failure);
  expect(error).toMatchObject({ code: 'invalid_request' });
  expect(error).not.toSatisfy(isTemporary);
});
