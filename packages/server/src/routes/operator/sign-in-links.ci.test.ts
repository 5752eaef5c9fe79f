import { describe, expect, test } from 'vitest';
import { readTables } from '../../../test/support/databases/read-tables.js';
import { createOperator, SESSION } from '../../../test/support/service/create-operator.js';
import { ENVIRONMENT_URL } from '../../../test/support/service/create-tenant.js';

const LINK = `${SESSION}/link`;
const PASSWORD = `${SESSION}/password`;
const NEW = 'a longer password';

async function createLinks() {
  const operator = await createOperator();
  const { signInLinks, post } = operator;
  const newToken = async (name = 'ada') => (await signInLinks.create(name)).link.split('#')[1] ?? '';
  const open = (token: string, remoteAddress = '192.0.2.1') => post(LINK, { token }, { remoteAddress });
  /** Opens a new sign-in link. Returns a function that sends requests in the session of the link. */
  const comeByLink = async (name?: string) => operator.callsOf(await open(await newToken(name)));
  return { ...operator, newToken, open, comeByLink };
}

test('D1: a sign-in link has 256 random bits in the fragment of its URL and is stored hashed', async () => {
  const { signInLinks, database } = await createLinks();
  const { link, expiresAt } = await signInLinks.create('Ada');
  const [page, token = ''] = link.split('#');
  expect(page).toBe(`${ENVIRONMENT_URL}/dashboard/sign-in`);
  expect(Buffer.from(token.slice(0, 43), 'base64url')).toHaveLength(32);
  expect(expiresAt).toBe('2026-11-20T09:15:00.000Z');
  expect(JSON.stringify(await readTables(database))).not.toContain(token);
  await expect(signInLinks.create('nobody')).rejects.toMatchObject({ code: 'not_found' });
});

test('D1: a sign-in link works once, even in simultaneous requests', async () => {
  const { newToken, open, callsOf } = await createLinks();
  const token = await newToken();
  const replies = await Promise.all(Array.from({ length: 25 }, () => open(token)));
  const signedIn = replies.filter(({ statusCode }) => statusCode === 200);
  expect(signedIn.map((reply) => reply.json())).toEqual([
    {
      name: 'ada',
      role: 'owner',
      signedInBy: 'link',
      csrfToken: expect.any(String),
      expiresAt: expect.any(String),
    },
  ]);
  const refused = replies.filter((reply) => !signedIn.includes(reply));
  for (const reply of refused) {
    expect([401, 429]).toContain(reply.statusCode);
    expect(reply.cookies).toEqual([]);
  }
  for (const reply of signedIn) expect((await callsOf(reply)('GET', SESSION)).statusCode).toBe(200);
});

test('D1: a sign-in link expires after 15 minutes or with its operator', async () => {
  const { newToken, open, clock, operators } = await createLinks();
  const [early, late] = [await newToken(), await newToken()];
  clock.advance(15 * 60_000 - 1);
  expect((await open(early)).statusCode).toBe(200);
  clock.advance(1);
  const reply = await open(late);
  expect([reply.statusCode, reply.json().error.message]).toEqual([401, expect.stringMatching(/has expired/)]);
  await operators.create('grace', 'reader');
  const ofGrace = await newToken('grace');
  await operators.delete('grace');
  expect((await open(ofGrace)).statusCode).toBe(401);
});

test('A8: wrong links are limited to thirty a minute per address, and other addresses are not affected', async () => {
  const { newToken, open, storage } = await createLinks();
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 31; attempt += 1)
    statuses.push((await open(`no-link-${attempt}`)).statusCode);
  expect(statuses).toEqual([...Array(30).fill(401), 429]);
  expect((await open(await newToken())).statusCode).toBe(429);
  expect((await open(await newToken(), '198.51.100.7')).statusCode).toBe(200);
  const recorded = await storage.auditEvents.list({ limit: 100 });
  const refused = recorded.filter(({ action }) => action === 'operator.sign_in_refused');
  expect(refused.map(({ reason }) => reason).sort()).toEqual(['too many', 'wrong link']);
});

describe('A8: a link of ours that ended is no guess: always 401, and its address is not locked out', () => {
  test.each<{
    title: string;
    end: (given: Awaited<ReturnType<typeof createLinks>>, token: string) => unknown;
  }>([
    { title: 'a used link', end: ({ open }, token) => open(token) },
    { title: 'an expired link', end: ({ clock }) => clock.advance(15 * 60_000) },
    { title: 'a link that a new password ended', end: ({ operators }) => operators.reset('grace') },
    {
      title: 'a link whose operator was deleted',
      end: ({ operators }) => operators.delete('grace').catch(() => undefined),
    },
  ])('$title', async ({ end }) => {
    const links = await createLinks();
    const { newToken, open, operators, storage } = links;
    await operators.create('grace', 'reader');
    const tokens = [await newToken('grace'), await newToken('grace')];
    for (const token of tokens) await end(links, token);
    for (let attempt = 0; attempt < 40; attempt += 1)
      expect((await open(tokens[attempt % 2] ?? '')).statusCode).toBe(401);
    expect((await open('no-link')).statusCode).toBe(401);
    expect((await open(await newToken())).statusCode).toBe(200);
    const recorded = await storage.auditEvents.list({ limit: 100 });
    const refused = recorded.filter(({ action }) => action === 'operator.sign_in_refused');
    expect(refused.map(({ reason }) => reason)).toContain('ended link');
  });
});

test('an operator who signed in by a link sets a password without the old one, once', async () => {
  const { comeByLink, call, signIn, newToken, open } = await createLinks();
  const byLink = await comeByLink();
  const waiting = await newToken();
  const payload = { newPassword: NEW };
  expect((await byLink('PUT', PASSWORD, { payload })).statusCode).toBe(204);
  expect((await signIn()).statusCode).toBe(401);
  expect((await signIn({ password: NEW })).statusCode).toBe(200);
  // Checks that a new password ends other sessions and unused sign-in links. The session that set the password
  // continues as a session by password.
  expect((await call('GET', SESSION)).statusCode).toBe(401);
  expect((await open(waiting)).statusCode).toBe(401);
  expect((await byLink('GET', SESSION)).json()).toMatchObject({ signedInBy: 'password' });
  const again = await byLink('PUT', PASSWORD, { payload });
  expect(again.json().error).toMatchObject({ code: 'invalid_request', message: /present password/ });
});

test('A8: a password change needs the current password, whose guesses are limited like sign-ins', async () => {
  const { call, signIn, password } = await createOperator();
  const change = (given: object) => call('PUT', PASSWORD, { payload: { newPassword: NEW, ...given } });
  expect((await change({ password, newPassword: 'too short' })).statusCode).toBe(400);
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 11; attempt += 1)
    statuses.push((await change({ password: 'wrong' })).statusCode);
  expect(statuses).toEqual([...Array(10).fill(403), 429]);
  expect((await change({ password })).statusCode).toBe(429);
  expect((await call('GET', SESSION)).statusCode).toBe(200);
  expect((await signIn()).statusCode).toBe(429);
});

test('the current password is sufficient to change the password', async () => {
  const { call, signIn, password } = await createOperator();
  expect((await call('PUT', PASSWORD, { payload: { newPassword: NEW, password } })).statusCode).toBe(204);
  expect((await call('GET', SESSION)).statusCode).toBe(200);
  expect([(await signIn()).statusCode, (await signIn({ password: NEW })).statusCode]).toEqual([401, 200]);
});

test('D1: a reader can set a password only in the session of a sign-in link', async () => {
  const { operators, comeByLink, post, callsOf } = await createLinks();
  await operators.invite('grace', 'reader');
  const byLink = await comeByLink('grace');
  const payload = { newPassword: NEW };
  const apps = { payload: { name: 'Notes' } };
  expect((await byLink('POST', '/operator/v1/applications', apps)).statusCode).toBe(403);
  expect((await byLink('PUT', PASSWORD, { payload })).statusCode).toBe(204);
  const byPassword = callsOf(await post(SESSION, { name: 'grace', password: NEW }));
  for (const given of [payload, { ...payload, password: NEW }])
    expect((await byPassword('PUT', PASSWORD, { payload: given })).statusCode).toBe(403);
});
