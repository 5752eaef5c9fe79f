import { describe, expect, test } from 'vitest';
import { callApi, connect } from '../authorized.js';
import { ada, DRIVE, get, put, reason, sandbox, useFilesite, values } from './setup.js';

useFilesite();

const names = (response: Awaited<ReturnType<typeof get>>) =>
  values(response).map(({ displayName }) => displayName);

describe('sites', () => {
  test('are not available under /me', async () => {
    const response = await get('/v1.0/me/sites');
    expect(response.status).toBe(400);
    expect(response.body.error).toMatchObject({
      code: 'BadRequest',
      message: "Resource not found for the segment 'sites'.",
      innerError: { 'request-id': response.headers.get('request-id'), date: expect.any(String) },
    });
  });

  test('omit unfollowed sites in followedSites and new sites in the search', async () => {
    expect(names(await get('/v1.0/me/followedSites'))).toEqual(['Marketing', 'Launch']);
    expect(names(await get('/v1.0/sites?search=*'))).toEqual([
      'Communication site',
      'Marketing',
      'Engineering',
    ]);
    expect(names(await get('/v1.0/sites?search=release%20notes'))).toEqual(['Engineering']);
    expect(names(await get('/v1.0/sites'))).toEqual([]);
    expect(reason(await get('/v1.0/sites?search=*&$orderby=name'))).toEqual([400, 'invalidRequest']);
  });

  test('are found by id, as root and by path', async () => {
    const root = await get('/v1.0/sites/root');
    expect(root.body).toMatchObject({ id: expect.stringMatching(/^[^,]+,[^,]+,[^,]+$/), root: {} });
    expect((await get(`/v1.0/sites/${root.body.id}`)).body).toEqual(root.body);
    const marketing = await get('/v1.0/sites/contoso.sharepoint.com:/sites/Marketing');
    expect(marketing.body).toMatchObject({ name: 'marketing', displayName: 'Marketing' });
    expect(marketing.body).not.toHaveProperty('root');
    for (const path of [
      '/sites/a,b,c',
      '/sites/contoso.sharepoint.com:/sites/none',
      '/sites/example.com:/sites/marketing',
    ])
      expect(reason(await get(`/v1.0${path}`))).toEqual([404, 'itemNotFound']);
  });

  test('have a document library and a list', async () => {
    const drives = values(await get('/v1.0/sites/root/drives'));
    expect(drives).toMatchObject([{ driveType: 'documentLibrary' }]);
    expect((await get(DRIVE)).body.id).toBe(drives[0].id);
    expect(values(await get('/v1.0/sites/root/lists'))).toMatchObject([
      { list: { template: 'documentLibrary' } },
    ]);
  });
});

describe('a request to Microsoft Graph', () => {
  test('is refused with an invalid token', async () => {
    const url = `${sandbox.upstream('filesite').baseUrl}/v1.0/sites/root`;
    expect(reason(await callApi(url, 'GET', { token: 'wrong', headers: {} }))).toEqual([
      401,
      'InvalidAuthenticationToken',
    ]);
  });

  test.each([
    { scope: 'Sites.Read.All', expected: [200, 200, 403] },
    { scope: 'Files.ReadWrite', expected: [403, 200, 201] },
    { scope: 'https://graph.microsoft.com/Sites.ReadWrite.All', expected: [200, 200, 201] },
    { scope: 'User.Read', expected: [403, 403, 403] },
  ])('needs the right scope: $scope', async ({ scope, expected }) => {
    const narrow = await connect(sandbox, 'filesite', { params: { scope } });
    const responses = [
      await narrow.call('GET', '/v1.0/sites/root'),
      await narrow.call('GET', `${DRIVE}/root:/welcome.txt`),
      await narrow.call('PUT', `${DRIVE}/root:/new.txt:/content`, { body: 'new' }),
    ];
    expect(responses.map(({ status }) => status)).toEqual(expected);
  });

  test.each(['/beta/me', '/sites/root?x=1', '/v2.0'])(
    'is refused for the unsupported version in %s',
    async (path) => {
      const response = await get(path);
      const version = path.split(/[/?]/)[1];
      expect(response.status).toBe(400);
      expect(response.body.error).toMatchObject({
        code: 'BadRequest',
        message: `Invalid version: ${version}`,
        innerError: { 'request-id': expect.any(String) },
      });
    },
  );

  test('is refused with a wrong method for a known path', async () => {
    expect((await ada.call('DELETE', '/v1.0/sites/root')).status).toBe(405);
  });

  test('gets status 429 with Retry-After above the rate limit', async () => {
    await sandbox.dials('filesite', { rateLimit: { requests: 1, perSeconds: 60, retryAfterSeconds: 31 } });
    await get('/v1.0/sites/root');
    const throttled = await get('/v1.0/sites/root');
    expect(reason(throttled)).toEqual([429, 'activityLimitReached', 'throttledRequest']);
    expect(throttled.headers.get('retry-after')).toBe('31');
  });

  test('returns the client-request-id of the client', async () => {
    const response = await get('/v1.0/me/sites', { 'client-request-id': 'mine' });
    expect(response.headers.get('client-request-id')).toBe('mine');
    expect(response.body.error.innerError['client-request-id']).toBe('mine');
  });
});

describe('a list of children', () => {
  test('is paged by absolute next links', async () => {
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await put(name, name);
    const names: string[] = [];
    let path: string | undefined = `${DRIVE}/root/children?$top=2&$select=name`;
    let pages = 0;
    while (path !== undefined) {
      const { body } = await get(path);
      names.push(...body.value.map(({ name }: { name: string }) => name));
      path = body['@odata.nextLink']?.slice(sandbox.upstream('filesite').baseUrl.length);
      pages += 1;
    }
    expect([names, pages]).toEqual([['Reports', 'welcome.txt', 'a.txt', 'b.txt', 'c.txt'], 3]);
  });

  test.each(['$top=0', '$top=many', '$skiptoken=wrong', '$expand=parents'])('refuses %s', async (option) => {
    expect(reason(await get(`${DRIVE}/root/children?${option}`))).toEqual([400, 'invalidRequest']);
  });
});
