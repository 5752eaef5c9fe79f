import { describe, expect, test } from 'vitest';
import {
  BROWSER,
  COOKIE,
  type ConnectOptions,
  createConnect,
  sendForm,
  textOf,
  VERIFY_URL,
} from '../../../test/support/service/create-connect.js';
import type { CredentialTrial } from '../../connections/verify-credential.js';

const KEY = 'canary-of-a-key';
const OTHER = { cookie: `__Host-svc-browser=${'c'.repeat(43)}` };
const ACCEPTED: CredentialTrial = { outcome: 'accepted', body: {} };
const REFUSED: CredentialTrial = { outcome: 'refused', status: 401, advice: undefined };

/**
 * Creates the connect page of a connection with API keys. `trial` is the upstream's result for every key that is
 * tested.
 */
async function createKeyed(trial: CredentialTrial = ACCEPTED, options: ConnectOptions = {}) {
  const tried: string[] = [];
  const connect = await createConnect({
    ...options,
    parts: {
      verifyCredential: async ({ secret }) => {
        tried.push(secret.reveal());
        return trial;
      },
    },
  });
  const { app, applicationId, connections, links, storage, vault } = connect;
  await connections.create(applicationId, { connectionName: 'keyed', connector: 'keyed', region: 'us' });
  const name = { connectionName: 'keyed', identifier: 'ada' };
  const createLink = async () => new URL((await links.create(applicationId, name)).link).pathname;
  const enter = (url: string, fields: Record<string, string>, headers: Record<string, string> = COOKIE) =>
    sendForm(app, url, {
      headers,
      payload: new URLSearchParams({ decision: 'allow', ...fields }).toString(),
    });
  const keyOf = async () => {
    const row = await storage.accounts.findByName(applicationId, name);
    if (!row?.accessToken) return undefined;
    const location = { applicationId, table: 'accounts', rowId: row.id, column: 'access_token' } as const;
    return (await vault.open(location, row.accessToken)).reveal();
  };
  const get = () => connect.accounts.get(applicationId, name);
  return { ...connect, createLink, enter, keyOf, get, tried };
}

test.each([
  {
    language: 'en',
    texts: [
      'Connect Keyed',
      'API key',
      'Tracking token (optional)',
      'The first use of Keyed shows whether the key is right.',
      'Connect Keyed Cancel',
    ],
  },
  {
    language: 'de',
    texts: [
      'Keyed verbinden',
      'API-Schlüssel',
      'Tracking token (kann leer bleiben)',
      'wenn Keyed zum ersten Mal genutzt wird.',
      'Abbrechen',
    ],
  },
])(
  'the connect page of a connector with keys has a field for each key: $language',
  async ({ language, texts }) => {
    const { createLink, open } = await createKeyed();
    const { body, headers } = await open(await createLink(), { ...COOKIE, 'accept-language': language });
    for (const text of texts) expect(textOf(body)).toContain(text);
    expect(body).toContain('<input type="password" name="key" autocomplete="off"');
    expect(body).toContain('name="credential.tracking_token"');
    expect(body).not.toMatch(/<script| value="(?!allow|deny)/);
    expect(headers['cache-control']).toBe('no-store');
    expect(textOf(body)).not.toMatch(/is not stored|wird nicht gespeichert/);
  },
);

test('an entered key is tried, stored, and reported on the result page', async () => {
  const { createLink, enter, open, keyOf, get, tried, events } = await createKeyed();
  const link = await createLink();
  const done = await enter(link, {
    key: ` ${KEY} `,
    'credential.tracking_token': 'second',
    'credential.': '',
  });
  expect(done.statusCode).toBe(303);
  expect(tried).toEqual(['second', KEY]);
  expect(await keyOf()).toBe(KEY);
  expect(await get()).toMatchObject({ status: 'authorized', credentials: ['tracking_token'] });
  expect(await get()).not.toHaveProperty('refreshedAt');
  const result = new URL(String(done.headers.location)).pathname;
  expect(textOf((await open(result)).body)).toContain('Keyed is connected');
  expect((await open(link)).headers.location).toContain(result);
  const actions = (await events()).map(({ action }) => action);
  expect(actions).toEqual(expect.arrayContaining(['account.secrets_changed', 'account.authorized']));
});

describe('a key that is not stored', () => {
  const CASES = [
    {
      title: 'that the upstream refuses',
      trial: REFUSED,
      fields: { key: KEY },
      text: 'Keyed does not accept the key.',
    },
    { title: 'that is empty', trial: ACCEPTED, fields: { key: '  ' }, text: 'Enter the key.' },
    { title: 'with a line break', trial: ACCEPTED, fields: { key: `${KEY}\nx` }, text: 'Enter the key.' },
    { title: 'with other characters', trial: ACCEPTED, fields: { key: `${KEY}ü` }, text: 'Enter the key.' },
    { title: 'that is too long', trial: ACCEPTED, fields: { key: KEY.repeat(140) }, text: 'Enter the key.' },
    {
      title: 'whose second key is refused',
      trial: REFUSED,
      fields: { key: KEY, 'credential.tracking_token': 'second' },
      text: 'A key in an optional field was not accepted.',
    },
  ];

  test.each(CASES)('$title leaves the link usable and is not shown', async ({ trial, fields, text }) => {
    const { createLink, enter, open, keyOf, get, database } = await createKeyed(trial);
    const link = await createLink();
    const { body, statusCode } = await enter(link, fields);
    expect(statusCode).toBe(400);
    expect(textOf(body)).toContain(text);
    expect(body).not.toContain(KEY);
    expect(body).toContain('role="alert"');
    expect(await keyOf()).toBeUndefined();
    expect(await get()).toMatchObject({ status: 'unauthorized' });
    expect((await open(link)).statusCode).toBe(200);
    expect(JSON.stringify(await database.selectFrom('auditEvents').selectAll().execute())).not.toContain(KEY);
  });

  test('is refused without a trial after five refusals in a minute', async () => {
    const { createLink, enter, tried, clock } = await createKeyed(REFUSED);
    const link = await createLink();
    for (let times = 0; times < 5; times += 1) expect((await enter(link, { key: KEY })).statusCode).toBe(400);
    const { statusCode, body, headers } = await enter(await createLink(), { key: KEY });
    expect([statusCode, headers['retry-after']]).toEqual([429, '60']);
    expect(textOf(body)).toContain('Too many wrong keys');
    expect(tried).toHaveLength(5);
    clock.advance(60_000);
    expect((await enter(link, { key: KEY })).statusCode).toBe(400);
  });
});

const FOREIGN = [
  { title: 'without the cookie', headers: {} },
  { title: 'from another site', headers: { ...COOKIE, 'sec-fetch-site': 'cross-site' } },
  { title: 'from another origin', headers: { ...COOKIE, origin: 'https://evil.example' } },
];

test.each(FOREIGN)('O2: a key that is sent $title is neither tried nor stored', async ({ headers }) => {
  const { createLink, enter, keyOf, tried } = await createKeyed();
  const reply = await enter(await createLink(), { key: KEY }, headers as Record<string, string>);
  expect(reply.statusCode).toBe(403);
  expect([tried, await keyOf()]).toEqual([[], undefined]);
});

test('O1: a link for a key is used by one of several browsers', async () => {
  const { createLink, enter } = await createKeyed();
  const link = await createLink();
  const browsers = [COOKIE, OTHER, { cookie: `__Host-svc-browser=${'d'.repeat(43)}` }];
  const replies = await Promise.all(browsers.map((headers) => enter(link, { key: KEY }, headers)));
  expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([303, 404, 404]);
});

describe('O4: with a verify URL, an entered key', () => {
  const verifying = () => createKeyed(ACCEPTED, { application: { verifyUrl: VERIFY_URL, production: 1 } });

  async function reachVerification() {
    const connect = await verifying();
    const { headers } = await connect.enter(await connect.createLink(), {
      key: KEY,
      'credential.tracking_token': 'second',
    });
    const location = new URL(String(headers.location));
    expect(location.href).toContain(VERIFY_URL);
    expect(await connect.keyOf()).toBeUndefined();
    expect(await connect.get()).toMatchObject({ status: 'pending_verification' });
    return { ...connect, id: location.searchParams.get('auth_request_id') ?? '' };
  }

  test('is stored after the application has confirmed its user', async () => {
    const { verify, id, keyOf, get } = await reachVerification();
    expect((await verify(id, 'ada')).statusCode).toBe(200);
    expect(await keyOf()).toBe(KEY);
    expect(await get()).toMatchObject({ status: 'authorized', credentials: ['tracking_token'] });
  });

  test('of another user is deleted', async () => {
    const { verify, id, keyOf, get, database } = await reachVerification();
    expect((await verify(id, 'mallory')).statusCode).toBe(403);
    expect(await keyOf()).toBeUndefined();
    expect(await get()).toMatchObject({ status: 'unauthorized' });
    expect(await database.selectFrom('pendingApprovals').selectAll().execute()).toEqual([]);
  });
});

test('a key for a connector with OAuth is refused, and a link for keys has no scopes', async () => {
  const { authorize, begin, links, applicationId } = await createKeyed();
  const { token } = await begin('ada');
  const entered = authorize.enterKey(token, BROWSER, { key: KEY, credentials: {} });
  await expect(entered).rejects.toMatchObject({ code: 'not_found' });
  const name = { connectionName: 'keyed', identifier: 'bob' };
  await expect(links.create(applicationId, name, { requestedScopes: ['read'] })).rejects.toThrow(
    /^The connector uses keys, which have no scopes/,
  );
});
