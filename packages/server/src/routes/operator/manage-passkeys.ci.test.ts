import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, test } from 'vitest';
import { readTables } from '../../../test/support/databases/read-tables.js';
import {
  type Authenticator,
  type AuthenticatorOptions,
  createAuthenticator,
} from '../../../test/support/service/authenticator.js';
import { createOperator, SESSION } from '../../../test/support/service/create-operator.js';
import { ENVIRONMENT_URL } from '../../../test/support/service/create-tenant.js';
import { SELF_SIGNED } from '../../../test/support/upstreams/self-signed.js';

const ALL = `${SESSION}/passkeys`;
const SIGN_IN = `${SESSION}/passkey`;
const ORIGIN = { origin: ENVIRONMENT_URL };
const MINUTE_MS = 60_000;

const cookiesOf = ({ cookies }: LightMyRequestResponse) =>
  Object.fromEntries(cookies.map(({ name, value }) => [name, value]));

async function createPasskeys() {
  const operator = await createOperator();
  const { app, post, call: callOfAda } = operator;
  type Call = typeof callOfAda;

  /** Merges the session cookies of `call` with the cookies that `reply` sets. */
  const withCookies = (call: Call, reply: LightMyRequestResponse) => ({
    cookies: { ...call.cookies, ...cookiesOf(reply) },
  });

  /** Requests the options for a new passkey. Returns them with the credential that the authenticator creates. */
  async function beginToAdd(
    authenticator: Authenticator,
    options: AuthenticatorOptions = ORIGIN,
    call = callOfAda,
  ) {
    const begun = await call('POST', `${ALL}/options`, { payload: {} });
    const credential = authenticator.create(begun.json().options, options);
    const send = () =>
      call('POST', ALL, { payload: { name: 'Phone', credential }, ...withCookies(call, begun) });
    return { begun, credential, send };
  }
  const add = async (...given: Parameters<typeof beginToAdd>) => (await beginToAdd(...given)).send();

  async function beginToSignIn(authenticator: Authenticator, options: AuthenticatorOptions = ORIGIN) {
    const begun = await post(`${SIGN_IN}-options`, {});
    const credential = authenticator.get(begun.json().options, options);
    const send = (cookies = cookiesOf(begun)) => post(SIGN_IN, { credential }, { cookies });
    return { begun, credential, send };
  }
  const signInWith = async (...given: Parameters<typeof beginToSignIn>) =>
    (await beginToSignIn(...given)).send();

  return { ...operator, app, beginToAdd, add, beginToSignIn, signInWith };
}

async function createWithPasskey() {
  const operator = await createPasskeys();
  const authenticator = createAuthenticator();
  const added = await operator.add(authenticator);
  expect(added.statusCode).toBe(201);
  return { ...operator, authenticator, added };
}

test('D1: an operator adds a passkey, signs in with it, and removes it', async () => {
  const { added, authenticator, call, callsOf, signInWith, clock } = await createWithPasskey();
  const { id } = added.json<{ id: string }>();
  const view = { id, name: 'Phone', createdAt: '2026-11-20T09:00:00.000Z', usedAt: null };
  expect(added.json()).toEqual(view);
  clock.advance(MINUTE_MS);
  const signedIn = await signInWith(authenticator);
  expect(signedIn.json()).toMatchObject({ name: 'ada', role: 'owner', signedInBy: 'passkey' });
  expect((await callsOf(signedIn)('GET', SESSION)).statusCode).toBe(200);
  const used = { ...view, usedAt: '2026-11-20T09:01:00.000Z' };
  expect((await call('GET', ALL)).json()).toEqual({ items: [used] });
  expect((await call('DELETE', `${ALL}/${id}`)).statusCode).toBe(204);
  expect((await call('DELETE', `${ALL}/${id}`)).statusCode).toBe(404);
  expect((await signInWith(authenticator)).statusCode).toBe(401);
});

test('D1: the options require a discoverable, user-verified credential of this host within 5 minutes', async () => {
  const { added, beginToAdd, beginToSignIn, authenticator } = await createWithPasskey();
  expect(added.statusCode).toBe(201);
  const adding = await beginToAdd(createAuthenticator());
  expect(adding.begun.json().options).toMatchObject({
    rp: { id: 'svc.example.com' },
    user: { name: 'ada' },
    attestation: 'none',
    timeout: 300_000,
    excludeCredentials: [{ id: authenticator.id, type: 'public-key' }],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  const { begun } = await beginToSignIn(authenticator);
  expect(begun.json().options).toEqual({
    rpId: 'svc.example.com',
    challenge: expect.stringMatching(/^[\w-]{43}$/),
    timeout: 300_000,
    userVerification: 'required',
  });
  expect(begun.cookies[0]).toMatchObject({
    name: '__Host-svc-passkey',
    path: '/',
    httpOnly: true,
    secure: true,
    sameSite: 'Strict',
    maxAge: 86_400,
  });
});

describe('D1: a passkey sign-in', () => {
  test('is refused with a used challenge, also in simultaneous requests', async () => {
    const { authenticator, beginToSignIn } = await createWithPasskey();
    const { send } = await beginToSignIn(authenticator);
    const replies = await Promise.all(Array.from({ length: 10 }, () => send()));
    const statuses = replies.map(({ statusCode }) => statusCode).sort();
    expect(statuses[0]).toBe(200);
    expect(statuses.slice(1).every((status) => [401, 429].includes(status))).toBe(true);
  });

  test('is refused with a used challenge when the authenticator has no counter', async () => {
    const { add, beginToSignIn } = await createPasskeys();
    const authenticator = createAuthenticator();
    const uncounted = { ...ORIGIN, counter: 0 };
    expect((await add(authenticator, uncounted)).statusCode).toBe(201);
    const first = await beginToSignIn(authenticator, uncounted);
    const second = await beginToSignIn(authenticator, uncounted);
    expect((await first.send()).statusCode).toBe(200);
    expect((await first.send()).statusCode).toBe(401);
    expect((await second.send()).statusCode).toBe(200);
  });

  test('is refused with an expired challenge or one of another browser', async () => {
    const { authenticator, beginToSignIn, signInWith, clock } = await createWithPasskey();
    const { send } = await beginToSignIn(authenticator);
    const other = await beginToSignIn(authenticator);
    expect((await send({})).statusCode).toBe(401);
    expect((await send(cookiesOf(other.begun))).statusCode).toBe(401);
    const { send: sendLate } = await beginToSignIn(authenticator);
    clock.advance(5 * MINUTE_MS - 1);
    expect((await signInWith(authenticator)).statusCode).toBe(200);
    clock.advance(1);
    expect((await sendLate()).statusCode).toBe(401);
  });

  test('is refused with an origin of another site or subdomain', async () => {
    const { authenticator, signInWith } = await createWithPasskey();
    for (const origin of ['https://evil.example', 'https://sub.svc.example.com', 'http://svc.example.com'])
      expect((await signInWith(authenticator, { origin })).statusCode).toBe(401);
  });

  test('is refused with a counter that does not grow', async () => {
    const { authenticator, signInWith } = await createWithPasskey();
    expect((await signInWith(authenticator, { ...ORIGIN, counter: 7 })).statusCode).toBe(200);
    for (const counter of [7, 6, 0])
      expect((await signInWith(authenticator, { ...ORIGIN, counter })).statusCode).toBe(401);
    expect((await signInWith(authenticator, { ...ORIGIN, counter: 8 })).statusCode).toBe(200);
  });

  test('is refused with the credential or the user handle of another operator', async () => {
    const { authenticator, operators, post, callsOf, add, signInWith, storage } = await createWithPasskey();
    const { password } = await operators.create('grace', 'owner');
    const ofGrace = createAuthenticator();
    const call = callsOf(await post(SESSION, { name: 'grace', password }));
    expect((await add(ofGrace, ORIGIN, call)).statusCode).toBe(201);
    const ada = await storage.operators.findByName('ada');
    const handle = Buffer.from(ada?.id ?? '').toString('base64url');
    expect((await signInWith(ofGrace, { ...ORIGIN, id: authenticator.id })).statusCode).toBe(401);
    const claimed = { ...ORIGIN, id: authenticator.id, userHandle: handle };
    expect((await signInWith(ofGrace, claimed)).statusCode).toBe(401);
    expect((await signInWith(ofGrace, { ...ORIGIN, userHandle: handle })).statusCode).toBe(401);
    expect((await signInWith(ofGrace)).json()).toMatchObject({ name: 'grace' });
  });

  test('is refused without user verification', async () => {
    const { authenticator, signInWith } = await createWithPasskey();
    expect((await signInWith(authenticator, { ...ORIGIN, isVerified: false })).statusCode).toBe(401);
  });

  test('is refused with an invalid signature', async () => {
    const { authenticator, beginToSignIn, post } = await createWithPasskey();
    const { begun, credential } = await beginToSignIn(authenticator);
    const response = { ...credential.response, signature: 'MEUCIQD' };
    const forged = { credential: { ...credential, response } };
    const reply = await post(SIGN_IN, forged, { cookies: cookiesOf(begun) });
    expect([reply.statusCode, reply.json().error.code]).toEqual([401, 'unauthorized']);
  });
});

test('A8: unknown passkeys are refused thirty times a minute per address', async () => {
  const { signInWith, storage } = await createPasskeys();
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 31; attempt += 1)
    statuses.push((await signInWith(createAuthenticator())).statusCode);
  expect(statuses).toEqual([...Array(30).fill(401), 429]);
  const recorded = await storage.auditEvents.list({ limit: 100 });
  const refused = recorded.filter(({ action }) => action === 'operator.sign_in_refused');
  expect(refused.map(({ reason }) => reason).sort()).toEqual(['too many', 'wrong passkey']);
});

describe('A8: a challenge of ours that ended is no guess: always 401, and its address is not locked out', () => {
  test.each([
    { title: 'an expired challenge', isUsed: false, ms: 5 * MINUTE_MS },
    { title: 'a challenge that expired hours ago', isUsed: false, ms: 300 * MINUTE_MS },
    { title: 'a used challenge', isUsed: true, ms: 0 },
  ])('$title', async ({ isUsed, ms }) => {
    const { authenticator, beginToSignIn, signInWith, clock } = await createWithPasskey();
    const { send } = await beginToSignIn(authenticator);
    if (isUsed) expect((await send()).statusCode).toBe(200);
    clock.advance(ms);
    for (let attempt = 0; attempt < 40; attempt += 1) {
      const reply = await send();
      expect([reply.statusCode, reply.json().error.message]).toEqual([
        401,
        expect.stringMatching(/longer than 5 minutes or was completed/),
      ]);
    }
    expect((await signInWith(authenticator)).statusCode).toBe(200);
  });
});

describe('D1: a new passkey', () => {
  test.each([
    { title: 'with the origin of another site', options: { origin: 'https://evil.example' } },
    { title: 'without user verification', options: { ...ORIGIN, isVerified: false } },
    { title: 'with an unsolicited certificate', options: { ...ORIGIN, certificate: SELF_SIGNED } },
  ])('is refused $title', async ({ options }) => {
    const { add, call } = await createPasskeys();
    const reply = await add(createAuthenticator(), options);
    expect([reply.statusCode, reply.json().error.code]).toEqual([400, 'invalid_request']);
    expect((await call('GET', ALL)).json()).toEqual({ items: [] });
  });

  test('is refused twice, or with a used, expired or foreign challenge', async () => {
    const { add, beginToAdd, operators, post, callsOf, call, clock } = await createPasskeys();
    const first = createAuthenticator();
    const { send } = await beginToAdd(first);
    expect((await send()).statusCode).toBe(201);
    expect((await send()).statusCode).toBe(400);
    expect((await add(first)).statusCode).toBe(409);
    const { password } = await operators.create('grace', 'owner');
    const byGrace = callsOf(await post(SESSION, { name: 'grace', password }));
    const { begun, credential } = await beginToAdd(createAuthenticator());
    const cookies = { ...byGrace.cookies, ...cookiesOf(begun) };
    const crossed = await byGrace('POST', ALL, { payload: { name: 'x', credential }, cookies });
    expect(crossed.statusCode).toBe(400);
    const late = await beginToAdd(createAuthenticator());
    clock.advance(5 * MINUTE_MS);
    expect((await late.send()).statusCode).toBe(400);
    expect((await call('GET', ALL)).json().items).toHaveLength(1);
    expect((await byGrace('GET', ALL)).json().items).toHaveLength(0);
  });

  test('is refused beyond the limit of ten, even in simultaneous requests', async () => {
    const { add, beginToAdd, call } = await createPasskeys();
    for (let count = 0; count < 9; count += 1)
      expect((await add(createAuthenticator())).statusCode).toBe(201);
    const last = [await beginToAdd(createAuthenticator()), await beginToAdd(createAuthenticator())];
    const replies = await Promise.all(last.map(({ send }) => send()));
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409]);
    expect((await call('GET', ALL)).json().items).toHaveLength(10);
  });
});

test('D1: a password reset and a deletion of the operator delete the passkeys', async () => {
  const { operators, post, callsOf, add, signInWith, database } = await createPasskeys();
  const { password } = await operators.create('grace', 'owner');
  const comeBack = async (word: string) => callsOf(await post(SESSION, { name: 'grace', password: word }));
  const authenticator = createAuthenticator();
  expect((await add(authenticator, ORIGIN, await comeBack(password))).statusCode).toBe(201);
  const { password: next } = await operators.reset('grace');
  expect((await signInWith(authenticator)).statusCode).toBe(401);
  expect((await add(authenticator, ORIGIN, await comeBack(next))).statusCode).toBe(201);
  await operators.delete('grace');
  expect((await signInWith(authenticator)).statusCode).toBe(401);
  expect(await readTables(database)).toMatchObject({ operator_passkeys: [] });
});
