import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  BROWSER,
  COOKIE,
  createConnect,
  FORM,
  textOf,
} from '../../../test/support/service/create-connect.js';
import { ENVIRONMENT_URL } from '../../../test/support/service/create-tenant.js';
import { PNG, pngUrl, SVG, svgUrl } from '../../../test/support/service/logos.js';

test('O6: the connect page names application, service and identifier, and waits for a click', async () => {
  const { app, createLink } = await createConnect();
  const page = await app.inject({ url: await createLink('ada@example.com') });
  expect(page.statusCode).toBe(200);
  expect(textOf(page.body)).toContain(
    'Acme Notes asks for access to a Mail account. Acme Notes will use the account for the user ada@example.com.',
  );
  expect(page.body).toContain('<form method="post">');
  expect(page.body).toContain('<button name="decision" value="allow">');
  expect(page.body).not.toContain('<script');
});

test('the connect page explains the requested access in the language of the browser', async () => {
  const { app, createLink, database } = await createConnect();
  await database.updateTable('connections').set({ scopes: '["read","labels"]' }).execute();
  const page = await app.inject({
    url: await createLink(),
    headers: { 'accept-language': 'de-AT, en;q=0.5' },
  });
  expect(page.body).toContain('<html lang="de">');
  const text = textOf(page.body);
  expect(text).toContain(
    'Wenn Sie zustimmen, darf Acme Notes Folgendes tun E-Mails lesen Die Berechtigung „labels“ nutzen',
  );
  expect(text).toContain('Sie werden zu Mail weitergeleitet und melden sich bei Mail an.');
  expect(text).toContain('Sie können den Zugriff jederzeit widerrufen');
  expect(text).toContain('Weiter zu Mail Abbrechen');
});

test('the connect page also lists the scopes that a call was missing', async () => {
  const { app, createLink, storage, row, clock } = await createConnect();
  await createLink('ada');
  await storage.accounts.change(await row('ada'), { wantedScopes: '["write"]', updatedAt: clock.now() });
  const text = textOf((await app.inject({ url: await createLink('ada') })).body);
  expect(text).toContain(
    'If you agree, Acme Notes may do the following Read mails Use the permission “write”',
  );
});

test('the connect page has the logo or the initial of the application', async () => {
  const { app, createLink, applications, applicationId } = await createConnect();
  const url = await createLink();
  expect((await app.inject({ url })).body).toContain('<span class="tile">A</span>');
  for (const logo of [svgUrl(SVG), pngUrl(PNG)]) {
    await applications.change(applicationId, { logo });
    expect((await app.inject({ url })).body).toContain(
      `<span class="tile"><img src="${logo}" alt=""></span>`,
    );
  }
});

test('O2: the connect page sets an HttpOnly cookie for its own site only', async () => {
  const { app, createLink } = await createConnect();
  const { cookies } = await app.inject({ url: await createLink() });
  expect(cookies).toEqual([
    {
      name: '__Host-svc-browser',
      value: expect.stringMatching(/^[\w-]{43}$/),
      path: '/',
      httpOnly: true,
      secure: true,
      sameSite: 'Lax',
      maxAge: 86_400,
    },
  ]);
});

test('the browser keeps its cookie, so that two consents can run in parallel', async () => {
  const { app, createLink } = await createConnect();
  const { cookies } = await app.inject({ url: await createLink(), headers: COOKIE });
  expect(cookies[0]?.value).toBe(BROWSER);
});

test('an invalid cookie is replaced', async () => {
  const { app, createLink } = await createConnect();
  const { cookies } = await app.inject({
    url: await createLink(),
    headers: { cookie: '__Host-svc-browser=short' },
  });
  expect(cookies[0]?.value).toHaveLength(43);
});

test('the cookie has another name without https because browsers refuse the __Host- prefix there', async () => {
  const { app, createLink } = await createConnect({ environmentUrl: 'http://localhost:4400' });
  const { cookies } = await app.inject({ url: await createLink() });
  expect(cookies[0]).toMatchObject({ name: 'svc-browser', httpOnly: true });
  expect(cookies[0]?.secure).toBeUndefined();
});

test('open, click and consent connect the account', async () => {
  const { app, createLink, upstream, account } = await createConnect();
  const url = await createLink();
  const [cookie] = (await app.inject({ url })).cookies;
  const headers = { cookie: `${cookie?.name}=${cookie?.value}` };
  const click = await app.inject({
    method: 'POST',
    url,
    headers: { ...FORM, ...headers },
    payload: 'decision=allow',
  });
  expect(click.statusCode).toBe(303);
  const callback = upstream.approve(String(click.headers.location));
  expect(callback.origin).toBe(ENVIRONMENT_URL);
  const done = await app.inject({ url: `${callback.pathname}${callback.search}`, headers });
  expect(done.statusCode).toBe(303);
  const { pathname } = new URL(String(done.headers.location));
  expect(textOf((await app.inject({ url: pathname, headers })).body)).toContain(
    'Mail is connected You connected Mail on November 20, 2026 at 9:00 AM UTC. Acme Notes can use Mail for ada.',
  );
  expect(await account('ada')).toMatchObject({ status: 'authorized' });
});

test('a double click leads to one consent, and another browser is refused', async () => {
  const { createLink, decide, open } = await createConnect();
  const url = await createLink();
  const replies = await Promise.all([decide(url, 'allow'), decide(url, 'allow')]);
  replies.push(await decide(url, 'allow'));
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([303, 303, 303]);
  expect(new Set(replies.map(({ headers }) => headers.location)).size).toBe(1);
  const other = { cookie: `__Host-svc-browser=${'c'.repeat(43)}` };
  expect(textOf((await decide(url, 'allow', other)).body)).toContain('This link was already used');
  expect((await open(url, other)).statusCode).toBe(404);
  expect((await open(url)).statusCode).toBe(200);
});

test('opening the page and cancelling leave the link usable', async () => {
  const { app, createLink, decide } = await createConnect();
  const url = await createLink();
  await app.inject({ url });
  expect(textOf((await decide(url, 'deny')).body)).toContain('No account was connected');
  expect((await decide(url, '')).statusCode).toBe(200);
  expect((await decide(url, 'allow')).statusCode).toBe(303);
});

const FOREIGN_ORIGINS = ['https://evil.example', 'null', `${ENVIRONMENT_URL}.evil.example`, ''];

test.each([
  { title: 'without the cookie', headers: {} },
  {
    title: 'from another site with Sec-Fetch-Site',
    headers: { ...COOKIE, 'sec-fetch-site': 'cross-site' },
  },
  { title: 'from another subdomain', headers: { ...COOKIE, 'sec-fetch-site': 'same-site' } },
  ...FOREIGN_ORIGINS.map((origin) => ({
    title: `from ${origin} without Sec-Fetch-Site`,
    headers: { ...COOKIE, origin },
  })),
])('O2: a click $title is refused, and the link remains usable', async ({ headers }) => {
  const { createLink, decide, database } = await createConnect();
  const url = await createLink();
  const reply = await decide(url, 'allow', headers);
  expect(reply.statusCode).toBe(403);
  expect(reply.headers.location).toBeUndefined();
  expect(await database.selectFrom('authorizationFlows').selectAll().execute()).toEqual([]);
  const own = { ...COOKIE, 'sec-fetch-site': 'same-origin', origin: 'null' };
  expect((await decide(url, 'allow', own)).statusCode).toBe(303);
});

test('a click without Sec-Fetch-Site is accepted with the own origin', async () => {
  const { createLink, decide } = await createConnect();
  const headers = { ...COOKIE, origin: ENVIRONMENT_URL };
  expect((await decide(await createLink(), 'allow', headers)).statusCode).toBe(303);
});

test('O3: a HEAD request does not consume a callback', async () => {
  const { app, approve, upstream } = await createConnect();
  const url = await approve();
  expect((await app.inject({ method: 'HEAD', url, headers: COOKIE })).statusCode).toBe(405);
  expect(upstream.tokenRequests()).toHaveLength(0);
  expect((await app.inject({ url, headers: COOKIE })).statusCode).toBe(303);
});

const PAGES = [
  'connect',
  'cancelled',
  'redirect',
  'connected',
  'unknown link',
  'refused callback',
  'invalid form',
] as const;

async function replyOf(name: (typeof PAGES)[number]) {
  const { app, createLink, decide, reachResult } = await createConnect();
  if (name === 'connect') return app.inject({ url: await createLink() });
  if (name === 'cancelled') return decide(await createLink(), 'deny');
  if (name === 'redirect') return decide(await createLink(), 'allow');
  if (name === 'connected') return app.inject({ url: await reachResult(), headers: COOKIE });
  if (name === 'unknown link') return app.inject({ url: '/connect/unknown' });
  if (name === 'invalid form') return decide(await createLink(), 'allow&decision=deny');
  return app.inject({ url: '/sso/v1/oauth/conn_1/callback?state=x&code=y', headers: COOKIE });
}

test.each(PAGES)(
  'O19: the headers of the page "%s" forbid caching, referrers, frames and scripts',
  async (name) => {
    const { headers, body } = await replyOf(name);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-type': 'text/html; charset=utf-8',
    });
    const policy = String(headers['content-security-policy']).split('; ');
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"]),
    );
    expect(policy).toHaveLength(5);
    expect(policy).toContain('img-src data:');
    const [, style] = /<style>(.*)<\/style>/s.exec(body) ?? [];
    if (style !== undefined) {
      expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    }
  },
);

test.each([
  {
    title: 'an unknown link',
    url: '/connect/unknown',
    status: 404,
    text: 'Go back to the application that sent you to this page',
  },
  {
    title: 'a callback without a flow',
    url: '/sso/v1/oauth/conn_1/callback?code=x&state=y',
    status: 403,
    text: 'This consent is no longer valid',
  },
])('the page for $title explains the next step', async ({ url, status, text }) => {
  const { app } = await createConnect();
  const page = await app.inject({ url, headers: COOKIE });
  expect(page.statusCode).toBe(status);
  expect(page.headers['svc-error']).toBeDefined();
  expect(textOf(page.body)).toContain(text);
});

const FORGED = [
  { host: 'evil.example.com' },
  { host: 'evil.example.com:443' },
  { host: 'svc.example.com@evil.example.com' },
  { 'x-forwarded-host': 'evil.example.com' },
  { 'x-forwarded-proto': 'http' },
  { 'x-forwarded-port': '8080' },
  { 'x-forwarded-prefix': '/evil' },
  { forwarded: 'host=evil.example.com;proto=http' },
  { 'x-original-url': '/evil', 'x-rewrite-url': '/evil' },
  {
    'x-forwarded-host': 'evil.example.com',
    'x-forwarded-server': 'evil.example.com',
  },
];

test.each(FORGED)('O10: the redirect URI ignores %j', async (headers) => {
  const { createLink, decide, connection, upstream, app } = await createConnect();
  const reply = await decide(await createLink(), 'allow', { ...COOKIE, ...headers });
  const location = new URL(String(reply.headers.location));
  expect(location.searchParams.get('redirect_uri')).toBe(
    `${ENVIRONMENT_URL}/sso/v1/oauth/${connection.id}/callback`,
  );
  const callback = upstream.approve(location.href);
  await app.inject({ url: `${callback.pathname}${callback.search}`, headers: { ...COOKIE, ...headers } });
  expect(upstream.tokenRequests()[0]?.parameters['redirect_uri']).toBe(connection.redirectUri);
});
