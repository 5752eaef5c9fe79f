import { readdirSync, readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { afterEach, expect, expectTypeOf, test, vi } from 'vitest';
import type { ServiceEvent } from './service-event.js';
import { verifyWebhook } from './verify-webhook.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';
const OTHER = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=';
const ID = 'evt_1';
const BODY = JSON.stringify({
  type: 'account.deleted',
  timestamp: '2026-11-20T09:00:00.000Z',
  data: { accountId: 'acct_1', connectionName: 'crm', identifier: 'Zoë' },
});

afterEach(() => vi.useRealTimers());

/** Headers of a request that the library of Standard Webhooks signs. */
function headersOf({ secret = SECRET, body = BODY, at = new Date() } = {}): Record<string, string> {
  return {
    'Webhook-Id': ID,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(ID, at, body),
  };
}

test.each([
  { title: 'an object', headers: headersOf() },
  { title: 'Headers', headers: new Headers(headersOf()) },
])('returns the event of a request whose headers are $title', async ({ headers }) => {
  const event = await verifyWebhook(BODY, headers, SECRET);
  expect(event).toEqual({ id: ID, ...JSON.parse(BODY) });
});

test('accepts bytes, several secrets and unknown versions of signatures', async () => {
  const signed = headersOf();
  const signature = `v1a,AAAA v1,${'A'.repeat(43)}= ${signed['webhook-signature']}`;
  const headers = { ...signed, 'webhook-signature': signature };
  const event = await verifyWebhook(new TextEncoder().encode(BODY), headers, [OTHER, SECRET]);
  expect(event.type).toBe('account.deleted');
});

test('accepts the result of request.arrayBuffer()', async () => {
  const request = new Request('https://hooks.example.com/svc', { method: 'POST', body: BODY });
  const event = await verifyWebhook(await request.arrayBuffer(), headersOf(), SECRET);
  expect(event.id).toBe(ID);
});

test('asks for the unchanged body when it gets parsed JSON', async () => {
  // `any`, as the body of a framework's request usually has no type.
  const parsed = JSON.parse(BODY);
  await expect(verifyWebhook(parsed, headersOf(), SECRET)).rejects.toThrow(/unchanged body/);
});

test('the type of an event determines the type of its data', () => {
  const read = (event: ServiceEvent) => {
    if (event.type === 'account.reauthorization_required') return event.data.reason;
    return event.type === 'endpoint.disabled' ? event.data.endpointId : undefined;
  };
  expectTypeOf(read).returns.toEqualTypeOf<string | undefined>();
});

const without = (name: string) =>
  Object.fromEntries(Object.entries(headersOf()).filter(([key]) => key.toLowerCase() !== name));
const MINUTE_MS = 60_000;

test.each([
  { title: 'another secret', given: { headers: headersOf({ secret: OTHER }) }, problem: 'signature' },
  { title: 'a changed body', given: { body: BODY.replace('crm', 'erp') }, problem: 'signature' },
  { title: 'no id', given: { headers: without('webhook-id') }, problem: 'headers' },
  { title: 'no time', given: { headers: without('webhook-timestamp') }, problem: 'headers' },
  { title: 'no signature', given: { headers: without('webhook-signature') }, problem: 'signature' },
  {
    title: 'a signature that is no base64',
    given: { headers: { ...headersOf(), 'webhook-signature': 'v1,***' } },
    problem: 'signature',
  },
  {
    title: 'an old time',
    given: { headers: headersOf({ at: new Date(Date.now() - 6 * MINUTE_MS) }) },
    problem: 'timestamp',
  },
  {
    title: 'a future time',
    given: { headers: headersOf({ at: new Date(Date.now() + 6 * MINUTE_MS) }) },
    problem: 'timestamp',
  },
  { title: 'a secret without its prefix', given: { secrets: 'MfKQ9r8G' }, problem: 'secret' },
  { title: 'no secret', given: { secrets: [] }, problem: 'signature' },
  {
    title: 'a body that is no event',
    given: { body: '[]', headers: headersOf({ body: '[]' }) },
    problem: 'body',
  },
  {
    title: 'a body that is no JSON',
    given: { body: '{', headers: headersOf({ body: '{' }) },
    problem: 'body',
  },
])('refuses a request with $title', async ({ given, problem }) => {
  const {
    body = BODY,
    headers = headersOf(),
    secrets = SECRET,
  }: {
    body?: string;
    headers?: Record<string, string>;
    secrets?: string | string[];
  } = given;
  await expect(verifyWebhook(body, headers, secrets)).rejects.toMatchObject({
    name: 'WebhookError',
    problem,
  });
});

test('toleranceSeconds accepts older requests', async () => {
  const headers = headersOf({ at: new Date(Date.now() - 6 * MINUTE_MS) });
  await expect(verifyWebhook(BODY, headers, SECRET, { toleranceSeconds: 600 })).resolves.toBeDefined();
});

test('the union of events has every type of schemas/events/', () => {
  const folder = new URL('../../../schemas/events/', import.meta.url);
  const types = readdirSync(folder).map(
    (name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')).type,
  );
  const generated = readFileSync(new URL('generated/event-types.ts', import.meta.url), 'utf8');
  for (const type of types) expect(generated).toContain(`type: '${type}';`);
});
