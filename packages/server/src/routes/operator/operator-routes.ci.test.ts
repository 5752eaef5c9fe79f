import { expect, test } from 'vitest';
import { createOperator, SESSION } from '../../../test/support/service/create-operator.js';
import { ENVIRONMENT_URL } from '../../../test/support/service/create-tenant.js';
import { SVG, svgUrl } from '../../../test/support/service/logos.js';

const ALL = '/operator/v1/applications';

test.each([
  { environmentUrl: 'https://svc.example.com', name: '__Host-svc-session', secure: true },
  { environmentUrl: 'http://localhost:4400', name: 'svc-session', secure: undefined },
])('D1: the session cookie of $environmentUrl is $name, SameSite and HttpOnly', async (given) => {
  const { signedIn } = await createOperator(given.environmentUrl);
  const [cookie] = signedIn.cookies;
  expect(cookie).toMatchObject({
    name: given.name,
    path: '/',
    httpOnly: true,
    sameSite: 'Strict',
    maxAge: 43_200,
  });
  expect(cookie?.secure).toBe(given.secure);
  expect(cookie).not.toHaveProperty('domain');
});

test('an operator signs in, reads the session, and signs out', async () => {
  const { signedIn, call } = await createOperator();
  expect(signedIn.json()).toEqual({
    name: 'ada',
    role: 'owner',
    signedInBy: 'password',
    csrfToken: expect.any(String),
    expiresAt: expect.any(String),
  });
  expect(signedIn.headers['cache-control']).toBe('no-store');
  expect((await call('GET', SESSION)).json()).toEqual(signedIn.json());
  const signedOut = await call('DELETE', SESSION);
  expect([signedOut.statusCode, signedOut.cookies[0]?.value]).toEqual([204, '']);
  expect((await call('GET', SESSION)).statusCode).toBe(401);
});

test('a wrong password gets 401, and too many wrong passwords get 429 with Retry-After', async () => {
  const { signIn } = await createOperator();
  const replies = [];
  for (let attempt = 0; attempt < 11; attempt += 1) replies.push(await signIn({ password: 'wrong' }));
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([...Array(10).fill(401), 429]);
  expect(Number(replies.at(-1)?.headers['retry-after'])).toBeGreaterThan(0);
});

test('D1: a sign-in from a page of another site or in a form is refused', async () => {
  const { app, signIn, password } = await createOperator();
  expect((await signIn({}, { origin: 'https://evil.example' })).statusCode).toBe(403);
  expect((await signIn({}, { origin: ENVIRONMENT_URL })).statusCode).toBe(200);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const payload = new URLSearchParams({ name: 'ada', password }).toString();
  const form = await app.inject({ method: 'POST', url: SESSION, headers, payload });
  expect(form.statusCode).toBe(400);
});
test('an operator manages applications and their secrets, and each secret is returned once', async () => {
  const { call } = await createOperator();
  const created = await call('POST', ALL, { payload: { name: 'Notes' } });
  expect(created.statusCode).toBe(201);
  const { id, clientSecret, ...rest } = created.json();
  expect(rest).toMatchObject({ name: 'Notes', production: false, verifyUrl: null, redirectUrls: [] });
  const one = `${ALL}/${id}`;
  const changed = await call('PATCH', one, {
    payload: { verifyUrl: 'https://notes.example/v', production: true, logo: svgUrl(SVG) },
  });
  expect(changed.json()).toMatchObject({ id, production: true, logo: svgUrl(SVG) });
  const refused = await call('PATCH', one, { payload: { logo: 'https://notes.example/logo.png' } });
  expect(refused.json().error).toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(/^The logo is not a data URL of a PNG or SVG image in base64\. Send/),
  });
  const added = (await call('POST', `${one}/client-secrets`)).json();
  const { items } = (await call('GET', `${one}/client-secrets`)).json();
  const first = items.find((secret: { id: string }) => secret.id !== added.id);
  expect((await call('DELETE', `${one}/client-secrets/${first.id}`)).statusCode).toBe(204);
  expect((await call('GET', ALL)).json().items).toContainEqual(changed.json());
  const replies = await Promise.all([
    call('GET', ALL),
    call('GET', one),
    call('GET', `${one}/client-secrets`),
  ]);
  for (const { body } of replies) {
    expect(body).not.toContain(clientSecret);
    expect(body).not.toContain(added.clientSecret);
  }
  expect((await call('DELETE', one)).statusCode).toBe(204);
  expect((await call('GET', one)).statusCode).toBe(404);
});

test.each([
  { payload: { name: 'x', production: true }, message: /needs a verify URL/ },
  { payload: { name: '' }, message: /name of the application is invalid\. Send 1 to 128/ },
  { payload: { name: 'x', verifyUrl: 'http://app.example.com' }, message: /is not https/ },
  { payload: { name: 'x', secret: 'y' }, message: /"secret" is not a known field/ },
  { payload: {}, message: /name/ },
])('the application $payload is refused', async ({ payload, message }) => {
  const { call } = await createOperator();
  const reply = await call('POST', ALL, { payload });
  expect(reply.statusCode).toBe(400);
  expect(reply.json().error.message).toMatch(message);
});

test('the audit log is read newest first, in pages, from a given time', async () => {
  const { call, clock } = await createOperator();
  clock.advance(1);
  const { id } = (await call('POST', ALL, { payload: { name: 'Notes' } })).json();
  clock.advance(1);
  await call('PATCH', `${ALL}/${id}`, { payload: { name: 'Better notes' } });
  const read = async (query: string) =>
    (await call('GET', `/operator/v1/audit-events?applicationId=${id}${query}`)).json();
  const { items } = await read('');
  expect(items.map(({ action }: { action: string }) => action)).toEqual([
    'application.changed',
    expect.stringMatching(/created$/),
    expect.stringMatching(/created$/),
  ]);
  const first = await read('&pageSize=2');
  const second = await read(`&pageSize=2&pageToken=${first.nextPageToken}`);
  expect([...first.items, ...second.items]).toEqual(items);
  expect((await read(`&since=${items[0].at}`)).items).toEqual([items[0]]);
  expect((await read('&since=yesterday')).error).toMatchObject({ code: 'invalid_request' });
});
