import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approve } from './approve.js';
import { createBrowser } from './browser.js';

let server: Server;
let url: string;
const seen: { path: string; cookie: string; body: string }[] = [];

const PAGES: Record<string, string> = {
  '/connect': `<!-- <form><button>no</button></form> -->
    <form action="/consent?from=connect&amp;n=1" method=post><input type="hidden" name="token" value="a&amp;b"><button>Continue</button></form>`,
  '/decide': `<form method="post" action="done">
    <label><input type=radio name=user value=ada checked> Ada</label> <label><input type=radio name=user value=grace> Grace</label>
    <input type="checkbox" name="scope" value="read" checked><input type="checkbox" name="scope" value="write">
    <select name="size"><option value="s"><option value="m" selected></select>
    <button name="decision" value="deny">No</button><button name="decision" value="allow">Yes</button></form>`,
  '/two': '<form><button>One</button><button>Two</button></form>',
};

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { pathname } = new URL(request.url ?? '', url);
  seen.push({
    path: request.url ?? '',
    cookie: request.headers.cookie ?? '',
    body: Buffer.concat(chunks).toString(),
  });
  if (pathname === '/start') {
    const cookies = [
      '__Host-flow=1; Path=/; Secure; HttpOnly; SameSite=Lax',
      '__Host-bad=1; Path=/connect; Secure',
      'old=1; Max-Age=0',
      'deep=1; Path=/deep',
    ];
    response.writeHead(302, { location: '/connect', 'set-cookie': cookies }).end();
  } else if (pathname === '/consent') response.writeHead(303, { location: '/decide' }).end();
  else if (pathname === '/loop') response.writeHead(302, { location: '/loop' }).end();
  else if (pathname === '/refused')
    response.writeHead(403, { 'content-type': 'text/html' }).end('<form><button>Try again</button></form>');
  else response.writeHead(200, { 'content-type': 'text/html' }).end(PAGES[pathname] ?? 'the end');
}

beforeAll(async () => {
  server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterAll(() => void server.close());

test('follows redirects and submits forms until the last page', async () => {
  seen.length = 0;
  const end = await approve(`${url}/start`, { user: 'grace' });
  expect(end).toMatchObject({ url: `${url}/done`, status: 200, body: 'the end' });
  expect(seen.map(({ path }) => path)).toEqual([
    '/start',
    '/connect',
    '/consent?from=connect&n=1',
    '/decide',
    '/done',
  ]);
  expect(seen[2]?.body).toBe('token=a%26b');
  expect(seen[4]?.body).toBe('user=grace&scope=read&size=m&decision=allow');
});

test('keeps secure cookies on loopback and rejects cookies that violate the rules of their prefix', async () => {
  seen.length = 0;
  await approve(`${url}/start`);
  expect(seen[0]?.cookie).toBe('');
  expect(seen.slice(1).map(({ cookie }) => cookie)).toEqual(Array.from({ length: 4 }, () => '__Host-flow=1'));
});

test('denies the consent and stops at the given URL', async () => {
  seen.length = 0;
  const end = await approve(`${url}/decide`, { deny: true, stopAt: (address) => address.endsWith('/done') });
  expect([end.url, end.status]).toEqual([`${url}/done`, 0]);
  expect(seen.map(({ path }) => path)).toEqual(['/decide']);
});

test('stops at an error page or an ambiguous form, and rejects a redirect loop', async () => {
  expect((await approve(`${url}/refused`)).status).toBe(403);
  expect((await approve(`${url}/two`)).url).toBe(`${url}/two`);
  await expect(approve(`${url}/loop`)).rejects.toThrow(/20 redirects/);
});

test('keeps the cookies of each browser separate', async () => {
  const victim = createBrowser();
  await victim.open(`${url}/start`);
  seen.length = 0;
  await createBrowser().open(`${url}/connect`);
  await approve(`${url}/connect`, { browser: victim });
  expect([seen[0]?.cookie, seen[1]?.cookie]).toEqual(['', '__Host-flow=1']);
});
