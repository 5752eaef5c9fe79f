import { describe, expect, test } from 'vitest';
import {
  BROWSER,
  COOKIE,
  type Connect,
  createConnect,
  createVerifying,
  textOf,
  type Verifying,
} from '../../../test/support/service/create-connect.js';

const OTHER = { cookie: `__Host-svc-browser=${'c'.repeat(43)}` };
const MINUTE_MS = 60_000;

const tokenOf = (link: string) => link.split('/').at(-1) ?? '';
const pathOf = ({ headers }: { readonly headers: Record<string, unknown> }) =>
  String(headers['location']).replace('https://svc.example.com', '');

interface Ending {
  readonly title: string;
  readonly create?: () => Promise<Verifying>;
  /** Brings a one-time authorization link to its end, for example by consenting or cancelling. */
  readonly end: (connect: Connect & Partial<Verifying>, link: string, callback: string) => Promise<unknown>;
  readonly texts: readonly string[];
  /** Text that the result page must not contain. */
  readonly lacks?: string;
}

const REVOKE = 'You can revoke the access at any time';

const deny = (callback: string, error = 'access_denied') => callback.replace(/code=[\w-]+/, `error=${error}`);

const ENDINGS: readonly Ending[] = [
  {
    title: 'connected',
    end: ({ open }, _link, callback) => open(callback),
    texts: [
      'Mail is connected',
      'You connected Mail on November 20, 2026 at 9:00 AM UTC',
      'close this window',
      REVOKE,
    ],
  },
  {
    title: 'connected, and the access ended later',
    end: async ({ open, storage, row, clock }, _link, callback) => {
      await open(callback);
      const change = { status: 'reauthorization_required', updatedAt: clock.now() } as const;
      await storage.accounts.change(await row('ada'), change);
    },
    texts: [
      'The access has ended',
      'You connected Mail on November 20, 2026',
      'To connect Mail again, go back to Acme Notes and start again.',
    ],
    lacks: REVOKE,
  },
  {
    title: 'cancelled at the upstream',
    end: ({ open }, _link, callback) => open(deny(callback)),
    texts: ['You did not consent', 'no account was connected', 'close this window'],
  },
  {
    title: 'cancelled on the connect page after going back',
    end: ({ decide }, link) => decide(link, 'deny'),
    texts: ['You did not consent', 'no account was connected'],
  },
  {
    title: 'refused by an administrator',
    end: ({ open }, _link, callback) => open(deny(callback, 'it_said_no')),
    texts: ['Your organization does not allow this connection', 'start again'],
  },
  {
    title: 'failed because the upstream did not respond',
    end: async ({ open, upstream }, _link, callback) => {
      upstream.script(() => ({ status: 503, body: {} }));
      await open(callback);
    },
    texts: ['The service does not respond', 'start again'],
  },
  {
    title: 'left open for more than ten minutes',
    end: async ({ clock }) => void clock.advance(10 * MINUTE_MS),
    texts: ['Your consent took too long', 'start again'],
  },
  {
    title: 'waiting for the application',
    create: createVerifying,
    end: ({ open }, _link, callback) => open(callback),
    texts: ['One step is missing', 'Acme Notes must still confirm that you are ada', 'to finish', REVOKE],
  },
  {
    title: 'confirmed by the application',
    create: createVerifying,
    end: async ({ open, verify }, _link, callback) => {
      const location = new URL(String((await open(callback)).headers.location));
      await verify(location.searchParams.get('auth_request_id') ?? '', 'ada');
    },
    texts: ['Mail is connected', 'You connected Mail on November 20, 2026'],
  },
  {
    title: 'refused by the application',
    create: createVerifying,
    end: async ({ open, verify }, _link, callback) => {
      const location = new URL(String((await open(callback)).headers.location));
      await verify(location.searchParams.get('auth_request_id') ?? '', 'mallory');
    },
    texts: ['This link was for another user', 'start again'],
  },
];

describe.each(ENDINGS)('a link that was $title', ({ create = createConnect, end, texts, lacks }) => {
  async function endLink() {
    const connect = await create();
    const link = await connect.createLink();
    const { headers } = await connect.decide(link, 'allow');
    const { pathname, search } = connect.upstream.approve(String(headers.location), { subject: 'ada' });
    const callback = `${pathname}${search}`;
    await end(connect, link, callback);
    const [stored] = await connect.storedLinks();
    return { ...connect, link, callback, result: `/connect/result/${stored?.id}` };
  }

  test('says so to the browser that used it, however often the pages are opened', async () => {
    const { open, decide, authorize, link, callback, result } = await endLink();
    for (const reply of [await open(link), await decide(link, 'deny')])
      expect([reply.statusCode, pathOf(reply)]).toEqual([303, result]);
    const { redirectTo } = await authorize.begin(tokenOf(link), BROWSER);
    expect(redirectTo).toBe(`https://svc.example.com${result}`);
    for (let times = 0; times < 2; times += 1) {
      const page = textOf((await open(result)).body);
      for (const text of texts) expect(page).toContain(text);
      if (lacks !== undefined) expect(page).not.toContain(lacks);
    }
    const again = await open(callback);
    if (again.statusCode === 303) expect(pathOf(again)).toBe(result);
    else expect(textOf(again.body)).toContain(texts[0]);
  });

  test('says only that it was used to another browser', async () => {
    const { open, decide, link, result } = await endLink();
    for (const headers of [OTHER, { 'x-no': 'cookie' }])
      for (const url of [link, result]) {
        const reply = await open(url, headers);
        expect(reply.statusCode).toBe(404);
        expect(textOf(reply.body)).toContain('This link was already used');
        expect(reply.body).not.toMatch(/Acme|\bada\b|Mail/);
      }
    expect((await decide(link, 'allow', OTHER)).statusCode).toBe(404);
  });

  test('requests no more tokens', async () => {
    const { open, callback, decide, link, upstream } = await endLink();
    const before = upstream.tokenRequests().length;
    await Promise.all([open(callback), open(callback), decide(link, 'allow')]);
    expect(upstream.tokenRequests()).toHaveLength(before);
  });
});

test('going back after "Continue" shows the question again, and the first tab can still finish', async () => {
  const { createLink, decide, open, upstream, account } = await createConnect();
  const link = await createLink();
  const first = String((await decide(link, 'allow')).headers.location);
  for (let times = 0; times < 2; times += 1) {
    const back = await open(link);
    expect(back.statusCode).toBe(200);
    expect(textOf(back.body)).toContain('Continue to Mail');
  }
  const callback = upstream.approve(first, { subject: 'ada' });
  expect((await open(`${callback.pathname}${callback.search}`)).statusCode).toBe(303);
  expect(await account('ada')).toMatchObject({ status: 'authorized' });
});

test('a denial in a second tab does not hide that the first tab connected the account', async () => {
  const { begin, complete, upstream, authorize, browser, storedLinks } = await createConnect();
  const { token, redirectTo } = await begin('ada');
  const second = await authorize.begin(token, browser);
  await complete(upstream.approve(redirectTo, { subject: 'ada' }));
  const { redirectTo: url } = await complete(upstream.deny(second.redirectTo));
  const [link] = await storedLinks();
  expect(url).toBe(`https://svc.example.com/connect/result/${link?.id}`);
  expect(link?.outcome).toBe('connected');
  expect(upstream.tokenRequests()).toHaveLength(1);
});

test.each([
  { title: 'of an unknown link', path: () => `/connect/result/link_${'0'.repeat(24)}` },
  { title: 'of an unused link', path: (id: string) => `/connect/result/${id}` },
])('the result page $title says that the link does not exist', async ({ path }) => {
  const { createLink, storedLinks, open } = await createConnect();
  await createLink();
  const [link] = await storedLinks();
  const reply = await open(path(link?.id ?? ''));
  expect(reply.statusCode).toBe(404);
  expect(textOf(reply.body)).toContain('This link does not exist');
  expect(reply.body).not.toMatch(/Acme|Mail/);
});

test('the result page of an open consent says that it is not finished', async () => {
  const { createLink, decide, storedLinks, open } = await createConnect();
  await decide(await createLink(), 'allow');
  const [link] = await storedLinks();
  const { body } = await open(`/connect/result/${link?.id}`, { ...COOKIE, 'accept-language': 'de' });
  expect(textOf(body)).toContain('Die Verbindung ist noch nicht abgeschlossen');
  expect(body).toContain('<a href="">Noch einmal prüfen</a>');
  expect(textOf(body)).toContain('Wenn Sie die Anmeldung nicht abschließen können, gehen Sie zurück');
  expect(textOf(body)).not.toContain('jederzeit widerrufen');
});

/** Name and workspace of the user at the upstream, as the sandboxed server reports them. */
const CONNECTED_AS = JSON.stringify({ name: 'ada@mail.example', workspace: 'Analytical Engines' });
const SHOWN = 'ada@mail.example (Analytical Engines)';

describe('the account at the upstream', () => {
  async function connectNamed(create: () => Promise<Connect> = createConnect) {
    const connect = await create();
    await connect.open(await connect.approve());
    const name = async () =>
      connect.storage.accounts.change(await connect.row('ada'), {
        connectedAs: CONNECTED_AS,
        updatedAt: connect.clock.now(),
      });
    await name();
    return connect;
  }

  test('is named on the success page', async () => {
    const { storedLinks, open } = await connectNamed();
    const [link] = await storedLinks();
    expect(textOf((await open(`/connect/result/${link?.id}`)).body)).toContain(`Account: ${SHOWN}`);
  });

  test.each([
    { replace: false, text: 'With this link, you cannot connect another account.' },
    { replace: true, text: 'the new account replaces the old one' },
  ])('is named before the next consent, with replace $replace', async ({ replace, text }) => {
    const { createLink, open } = await connectNamed();
    const page = textOf((await open(await createLink('ada', { replace }))).body);
    expect(page).toContain(`Last connected: ${SHOWN}`);
    expect(page).toContain(text);
  });

  test('is named when the user signed in with another account', async () => {
    const { approve, open } = await connectNamed();
    const page = textOf((await open(await approve('ada', { subject: 'bob' }))).body);
    expect(page).toContain('You signed in with another account');
    expect(page).toContain(`Account: ${SHOWN}`);
  });

  test('is named while the application has to confirm the user', async () => {
    const { open, approve, database, storedLinks } = await createVerifying();
    await open(await approve());
    await database.updateTable('pendingApprovals').set({ connectedAs: CONNECTED_AS }).execute();
    const [link] = await storedLinks();
    const page = textOf((await open(`/connect/result/${link?.id}`)).body);
    expect(page).toContain('One step is missing');
    expect(page).toContain(`Account: ${SHOWN}`);
  });
});

test('O2: the cookie of an attacker who opened the link does not make it usable for a victim', async () => {
  const { createLink, decide, open, storage, digest, clock } = await createConnect();
  const link = await createLink();
  await decide(link, 'allow', OTHER);
  expect((await decide(link, 'allow')).statusCode).toBe(404);
  expect((await open(link)).statusCode).toBe(404);
  const use = { tokenDigest: digest('authorization link', tokenOf(link)), now: clock.now() };
  const stolen = storage.authorizationLinks.use({ ...use, browserDigest: 'x', openSince: 0 });
  expect(await stolen).toBe(false);
});

test('the page of a missing administrator consent names the address for the administrator, again after a reload', async () => {
  const { approve, open, upstream, connection, storedLinks } = await createConnect();
  const callback = deny(await approve(), 'ask_it');
  const address = new URL('../it/agree', upstream.authorizationEndpoint);
  address.search = new URLSearchParams({
    all: 'yes',
    client_id: upstream.clientId,
    redirect_uri: String(connection.redirectUri),
  }).toString();
  const pages = [await open(callback)];
  const [link] = await storedLinks();
  pages.push(await open(`/connect/result/${link?.id}`));
  for (const { body } of pages) {
    expect(textOf(body)).toContain('Your administrator must agree first');
    expect(body.replaceAll('&amp;', '&')).toContain(`<pre class="address" dir="ltr">${address.href}</pre>`);
  }
});

test('the result page says at once that the application did not confirm the user in ten minutes', async () => {
  const { open, reachVerification, storedLinks, clock } = await createVerifying();
  await reachVerification();
  const [link] = await storedLinks();
  const read = async () => textOf((await open(`/connect/result/${link?.id}`)).body);
  clock.advance(10 * MINUTE_MS - 1);
  expect(await read()).toContain('One step is missing');
  clock.advance(1);
  expect(await read()).toContain('Your identity was not confirmed');
});
