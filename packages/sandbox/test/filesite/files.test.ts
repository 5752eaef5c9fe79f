import { describe, expect, test } from 'vitest';
import { ada, DRIVE, get, put, reason, sandbox, useFilesite, values } from './setup.js';

useFilesite();

const LINK = '@microsoft.graph.downloadUrl';
const HOUR = 3600 * 1000;

async function linkOf(name = 'welcome.txt'): Promise<string> {
  return (await get(`${DRIVE}/root:/${name}`)).body[LINK];
}

describe('an item', () => {
  test('is found by path, by id and among the children of its folder', async () => {
    const byPath = await get(`${DRIVE}/root:/Reports/2026%20budget.csv`);
    expect(byPath.body).toMatchObject({
      name: '2026 budget.csv',
      size: 44,
      file: { mimeType: 'text/csv' },
      parentReference: { name: 'Reports', driveType: 'documentLibrary' },
    });
    const { [LINK]: _, '@odata.context': _context, ...rest } = byPath.body;
    expect((await get(`${DRIVE}/items/${rest.id}`)).body).toMatchObject(rest);
    expect(values(await get(`${DRIVE}/root:/reports:/children`))).toMatchObject([{ id: rest.id }]);
  });

  test('that is a folder has no link', async () => {
    const { body } = await get(`${DRIVE}/root:/Reports`);
    expect(body).toMatchObject({ folder: { childCount: 1 } });
    expect(body).not.toHaveProperty([LINK]);
  });

  test('gives its link with a selection only by the other name', async () => {
    const path = `${DRIVE}/root:/welcome.txt?$select=id,`;
    expect((await get(path + LINK)).body).not.toHaveProperty([LINK]);
    expect((await get(`${path}content.downloadUrl`)).body).toHaveProperty([LINK]);
  });

  test('that the client has already is not sent again', async () => {
    const { body } = await get(`${DRIVE}/root:/welcome.txt`);
    expect((await get(`${DRIVE}/root:/welcome.txt`, { 'if-none-match': body.eTag })).status).toBe(304);
  });

  test('that is not there is not found', async () => {
    expect(reason(await get(`${DRIVE}/root:/none.txt`))).toEqual([404, 'itemNotFound']);
  });
});

describe('a link', () => {
  const WELCOME = 'Welcome to Communication site, Ada Lovelace.\n';

  test('opens the file without a token, and with one not', async () => {
    const link = await linkOf();
    const response = await fetch(link);
    expect([response.status, await response.text()]).toEqual([200, WELCOME]);
    expect((await fetch(link, { headers: { authorization: 'Bearer any' } })).status).toBe(401);
    const [request] = (await sandbox.requests('filesite')).slice(-1);
    expect(request).toMatchObject({
      headers: { authorization: 'Bearer [hidden]' },
      query: { tempauth: '[hidden]' },
    });
  });

  test('is over after an hour', async () => {
    const link = await linkOf();
    await sandbox.clock.advance(HOUR + 1000);
    expect((await fetch(link)).status).toBe(401);
  });

  test.each([
    { title: 'another order', change: (link: string) => link.replace(/\?(UniqueId=[^&]+)&(.*)$/, '?$2&$1') },
    { title: 'another encoding', change: (link: string) => link.replace('tempauth=v1.', 'tempauth=v1%2E') },
    { title: 'another file', change: (link: string) => link.replace(/UniqueId=01./, 'UniqueId=01_') },
  ])('opens nothing with $title', async ({ change }) => {
    expect((await fetch(change(await linkOf()))).status).toBe(401);
  });

  test.each([
    { range: 'bytes=0-6', status: 206, text: 'Welcome', told: 'bytes 0-6/45' },
    { range: 'bytes=39-', status: 206, text: 'lace.\n', told: 'bytes 39-44/45' },
    { range: 'bytes=-3', status: 206, text: 'e.\n', told: 'bytes 42-44/45' },
    { range: 'bytes=40-99', status: 206, text: 'ace.\n', told: 'bytes 40-44/45' },
    { range: 'bytes=45-', status: 416, text: '', told: 'bytes */45' },
    { range: 'bytes=0-1,3-4', status: 200, text: WELCOME, told: null },
  ])('gives the range $range', async ({ range, status, text, told }) => {
    const response = await fetch(await linkOf(), { headers: { range } });
    expect([response.status, await response.text()]).toEqual([status, text]);
    expect(response.headers.get('content-range')).toBe(told);
  });

  test('is where the content redirects to', async () => {
    const url = `${sandbox.upstream('filesite').baseUrl}${DRIVE}/root:/welcome.txt:/content`;
    const headers = { authorization: `Bearer ${ada.token}` };
    const { status, headers: answered } = await fetch(url, { headers, redirect: 'manual' });
    expect(status).toBe(302);
    expect(await (await fetch(answered.get('location') ?? '')).text()).toBe(WELCOME);
  });
});

describe('a written file', () => {
  test('is new at first and replaced then', async () => {
    const [first, second] = [await put('a.txt', 'one'), await put('A.txt', 'two!')];
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toMatchObject({ id: first.body.id, name: 'a.txt', size: 4 });
    expect(second.body.eTag).not.toBe(first.body.eTag);
  });

  test.each([
    { behavior: 'fail', expected: [409, undefined] },
    { behavior: 'rename', expected: [201, 'welcome 1.txt'] },
    { behavior: 'replace', expected: [200, 'welcome.txt'] },
    { behavior: 'ask', expected: [400, undefined] },
  ])('with a name that is taken is treated as asked: $behavior', async ({ behavior, expected }) => {
    const query = `?@microsoft.graph.conflictBehavior=${behavior}`;
    const { status, body } = await put('welcome.txt', 'new', { query });
    expect([status, body.name]).toEqual(expected);
  });

  test('changes only the version that was read', async () => {
    const { body } = await put('a.txt', 'one');
    const headers = { 'if-match': body.eTag };
    expect((await put('a.txt', 'two', { headers })).status).toBe(200);
    expect(reason(await put('a.txt', 'three', { headers }))).toEqual([412, 'resourceModified']);
  });

  test('needs a folder that exists', async () => {
    expect(reason(await put('none/a.txt', 'one'))).toEqual([409, 'nameAlreadyExists']);
  });

  test.each(['a%3Ab', 'a%3Fb', 'a*b', 'a%7Cb', 'a%3Bb', '~a', '%20a'])(
    'cannot be called %s',
    async (name) => {
      expect(reason(await put(name, 'x'))).toEqual([400, 'invalidRequest', 'nameContainsInvalidCharacters']);
    },
  );

  test.each(['Q%231', '100%25', 'a+b', 'a%20%26%20b', '%C3%BC', 'a,b'])('can be called %s', async (name) => {
    const { body } = await put(name, 'x');
    expect(body.name).toBe(decodeURIComponent(name));
    expect((await get(`${DRIVE}/root:/${name}`)).body.id).toBe(body.id);
  });
});
