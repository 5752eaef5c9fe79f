import { describe, expect, test } from 'vitest';
import { ada, DRIVE, get, put, reason, sandbox, useFilesite, values } from './setup.js';

useFilesite();

const LINK = '@microsoft.graph.downloadUrl';
const HOUR = 3600 * 1000;

async function linkOf(name = 'welcome.txt'): Promise<string> {
  return (await get(`${DRIVE}/root:/${name}`)).body[LINK];
}

describe('a drive item', () => {
  test('is found by path, by id and as a child of its folder', async () => {
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

  test('has no download link if it is a folder', async () => {
    const { body } = await get(`${DRIVE}/root:/Reports`);
    expect(body).toMatchObject({ folder: { childCount: 1 } });
    expect(body).not.toHaveProperty([LINK]);
  });

  test('includes its selected download link only with the name content.downloadUrl', async () => {
    const path = `${DRIVE}/root:/welcome.txt?$select=id,`;
    expect((await get(path + LINK)).body).not.toHaveProperty([LINK]);
    expect((await get(`${path}content.downloadUrl`)).body).toHaveProperty([LINK]);
  });

  test('is not sent again if its etag matches', async () => {
    const { body } = await get(`${DRIVE}/root:/welcome.txt`);
    expect((await get(`${DRIVE}/root:/welcome.txt`, { 'if-none-match': body.eTag })).status).toBe(304);
  });

  test('returns 404 if it does not exist', async () => {
    expect(reason(await get(`${DRIVE}/root:/none.txt`))).toEqual([404, 'itemNotFound']);
  });
});

describe('a download link', () => {
  const WELCOME = 'Welcome to Communication site, Ada Lovelace.\n';

  test('downloads the file without a token and refuses one with a token', async () => {
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

  test('expires after an hour', async () => {
    const link = await linkOf();
    await sandbox.clock.advance(HOUR + 1000);
    expect((await fetch(link)).status).toBe(401);
  });

  test.each([
    {
      title: 'reordered parameters',
      change: (link: string) => link.replace(/\?(UniqueId=[^&]+)&(.*)$/, '?$2&$1'),
    },
    {
      title: 'a different encoding',
      change: (link: string) => link.replace('tempauth=v1.', 'tempauth=v1%2E'),
    },
    { title: 'another file id', change: (link: string) => link.replace(/UniqueId=01./, 'UniqueId=01_') },
  ])('is refused with $title', async ({ change }) => {
    expect((await fetch(change(await linkOf()))).status).toBe(401);
  });

  test.each([
    { range: 'bytes=0-6', status: 206, text: 'Welcome', contentRange: 'bytes 0-6/45' },
    { range: 'bytes=39-', status: 206, text: 'lace.\n', contentRange: 'bytes 39-44/45' },
    { range: 'bytes=-3', status: 206, text: 'e.\n', contentRange: 'bytes 42-44/45' },
    { range: 'bytes=40-99', status: 206, text: 'ace.\n', contentRange: 'bytes 40-44/45' },
    { range: 'bytes=45-', status: 416, text: '', contentRange: 'bytes */45' },
    { range: 'bytes=0-1,3-4', status: 200, text: WELCOME, contentRange: null },
  ])('returns the range $range', async ({ range, status, text, contentRange }) => {
    const response = await fetch(await linkOf(), { headers: { range } });
    expect([response.status, await response.text()]).toEqual([status, text]);
    expect(response.headers.get('content-range')).toBe(contentRange);
  });

  test('is the redirect target of the content', async () => {
    const url = `${sandbox.upstream('filesite').baseUrl}${DRIVE}/root:/welcome.txt:/content`;
    const headers = { authorization: `Bearer ${ada.token}` };
    const { status, headers: responseHeaders } = await fetch(url, { headers, redirect: 'manual' });
    expect(status).toBe(302);
    expect(await (await fetch(responseHeaders.get('location') ?? '')).text()).toBe(WELCOME);
  });
});

describe('a written file', () => {
  test('is created by the first PUT and replaced by the next', async () => {
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
  ])('uses the conflict behavior $behavior if its name is taken', async ({ behavior, expected }) => {
    const query = `?@microsoft.graph.conflictBehavior=${behavior}`;
    const { status, body } = await put('welcome.txt', 'new', { query });
    expect([status, body.name]).toEqual(expected);
  });

  test('is replaced only if the given etag is current', async () => {
    const { body } = await put('a.txt', 'one');
    const headers = { 'if-match': body.eTag };
    expect((await put('a.txt', 'two', { headers })).status).toBe(200);
    expect(reason(await put('a.txt', 'three', { headers }))).toEqual([412, 'resourceModified']);
  });

  test('needs an existing folder', async () => {
    expect(reason(await put('none/a.txt', 'one'))).toEqual([409, 'nameAlreadyExists']);
  });

  test.each(['a%3Ab', 'a%3Fb', 'a*b', 'a%7Cb', 'a%3Bb', '~a', '%20a'])(
    'is refused for the name %s',
    async (name) => {
      expect(reason(await put(name, 'x'))).toEqual([400, 'invalidRequest', 'nameContainsInvalidCharacters']);
    },
  );

  test.each(['Q%231', '100%25', 'a+b', 'a%20%26%20b', '%C3%BC', 'a,b'])(
    'is accepted for the name %s',
    async (name) => {
      const { body } = await put(name, 'x');
      expect(body.name).toBe(decodeURIComponent(name));
      expect((await get(`${DRIVE}/root:/${name}`)).body.id).toBe(body.id);
    },
  );
});
