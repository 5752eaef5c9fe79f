import { UpstreamError } from '@svc/core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectAccount } from '../support/service/service.js';
import { ACCOUNT, type FilesiteService, startFilesite } from '../support/upstreams/start-filesite.js';

let filesite: FilesiteService;

beforeAll(async () => {
  filesite = await startFilesite();
});
afterAll(() => filesite?.stop());
beforeEach(() => filesite.clear());

const LIST = '/v1.0/sites/root/drive/root/children';
const FIRST = { ...ACCOUNT, method: 'GET' as const, path: LIST, queryParams: { $top: 1 } };

interface Page {
  readonly value: readonly { readonly name: string }[];
  readonly '@odata.nextLink'?: string;
}

const names = ({ value }: Page) => value.map(({ name }) => name);
const sentTo = async () => (await filesite.sent()).map(({ path, query }) => ({ path, query }));

describe('a link in a response', () => {
  test('is rewritten to the proxy, and leads to the next page with the access token of the service', async () => {
    const { service, application } = filesite;
    const { data } = await service.svc.request<Page>(FIRST);
    const next = data['@odata.nextLink'] ?? '';
    expect(
      next.startsWith(`${service.url}/v1/proxy/${ACCOUNT.connectionName}/${ACCOUNT.identifier}${LIST}?`),
    ).toBe(true);
    const response = await fetch(next, { headers: { authorization: `Bearer ${application.accessToken}` } });
    expect(names((await response.json()) as Page)).toEqual(['welcome.txt']);
  });

  test.each(['as it was given', 'as the upstream wrote it'])(
    'is a valid path for svc.request: %s',
    async (how) => {
      const { svc } = filesite.service;
      const headers: Record<string, string> = how === 'as it was given' ? {} : { 'svc-links': 'keep' };
      const { data } = await svc.request<Page>({ ...FIRST, headers });
      const next = await svc.request<Page>({
        ...ACCOUNT,
        method: 'GET',
        path: data['@odata.nextLink'] ?? '',
      });
      expect(names(next.data)).toEqual(['welcome.txt']);
      expect((await sentTo())[1]).toMatchObject({ path: LIST });
    },
  );

  test('is unchanged with svc-links: keep, and that header is not forwarded', async () => {
    const { sandbox, svc } = filesite.service;
    const { data } = await svc.request<Page>({ ...FIRST, headers: { 'svc-links': 'keep' } });
    expect(data['@odata.nextLink']).toContain(sandbox.upstream('filesite').baseUrl);
    expect((await filesite.sent())[0]?.headers).not.toHaveProperty('svc-links');
  });

  test('is the only part of the response that changes', async () => {
    const { service } = filesite;
    const { sandbox, svc } = service;
    const read = async (choice: string) => {
      const response = await svc.request({ ...FIRST, headers: { 'svc-links': choice } }, { stream: true });
      return (await response.text()).replace(/tempauth=[^&"]*/g, '');
    };
    const [original, rewritten] = [await read('keep'), await read('rewrite')];
    const own = `${service.url}/v1/proxy/${ACCOUNT.connectionName}/${ACCOUNT.identifier}/`;
    expect(rewritten).not.toBe(original);
    expect(rewritten.replace(own, `${sandbox.upstream('filesite').baseUrl}/`)).toBe(original);
  });

  test('is unchanged in a header and a body when it is signed', async () => {
    const { application, service } = filesite;
    const { svc } = service;
    const { data } = await svc.request<Record<string, string>>({
      ...ACCOUNT,
      method: 'GET',
      path: '/v1.0/sites/root/drive/root:/welcome.txt',
    });
    expect(data['@microsoft.graph.downloadUrl']).toContain('/_sharepoint/');
    const url = `${service.url}/v1/proxy/filesite/${ACCOUNT.identifier}/v1.0/sites/root/drive/root:/welcome.txt:/content`;
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { authorization: `Bearer ${application.accessToken}` },
    });
    expect(response.headers.get('location')).toContain('/_sharepoint/');
  });

  test.each([
    'https://graph.microsoft.com/v1.0/me',
    'http://localhost:1/filesite/v1.0/me',
    'https://evil.example/v1.0/me',
  ])('is refused as a path when it names another host: %s', async (path) => {
    const refused = filesite.service.svc.request({ ...ACCOUNT, method: 'GET', path });
    await expect(refused).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(refused).rejects.not.toBeInstanceOf(UpstreamError);
    expect(await filesite.sent()).toEqual([]);
  });

  test('is rewritten in an error response too', async () => {
    const { application, service } = filesite;
    const { sandbox } = service;
    const link = `${sandbox.upstream('filesite').baseUrl}/v1.0/me`;
    const headers = {
      'content-location': link,
      link: `<${link}>; rel="next", <https://elsewhere.example/>; rel="prev"`,
    };
    await sandbox.dials('filesite', { failNext: { count: 1, status: 404, headers } });
    const rewritten = `${service.url}/v1/proxy/filesite/${ACCOUNT.identifier}/v1.0/me`;
    const { headers: given } = await fetch(rewritten, {
      headers: { authorization: `Bearer ${application.accessToken}` },
    });
    expect(given.get('content-location')).toBe(rewritten);
    expect(given.get('link')).toBe(`<${rewritten}>; rel="next", <https://elsewhere.example/>; rel="prev"`);
  });

  /** Sends a proxied request with a client that follows redirects. Returns the upstream's requests after the first. */
  async function follow(location: string, headers: Record<string, string> = {}) {
    const { application, service } = filesite;
    const dials = { failNext: { count: 1, status: 307, headers: { location } } };
    await service.sandbox.dials('filesite', dials);
    await fetch(`${service.url}/v1/proxy/filesite/${ACCOUNT.identifier}/v1.0/me`, {
      method: 'POST',
      body: '{}',
      headers: { authorization: `Bearer ${application.accessToken}`, ...headers },
    });
    return (await sentTo()).slice(1);
  }

  const OF_BOB = '/v1/proxy/filesite/bob/v1.0/me';
  test.each([
    { title: 'a path', location: () => OF_BOB },
    { title: 'a URL of the service', location: () => filesite.service.url + OF_BOB },
    { title: 'a URL of the proxy port', location: () => `${filesite.service.proxyUrl}/v1.0/me` },
    {
      title: 'a path with parent segments',
      location: () =>
        `${filesite.service.sandbox.upstream('filesite').baseUrl}/v1.0/../../../../../..${OF_BOB}`,
    },
  ])('P8: a redirect does not lead a client to another account by $title', async ({ location }) => {
    await connectAccount(filesite.service, 'filesite', 'bob');
    for (const headers of [{}, { 'svc-links': 'keep' }]) {
      await filesite.clear();
      expect(await follow(location(), headers)).toEqual([]);
    }
  });

  test('a relative redirect is followed as the same account', async () => {
    const { pathname } = new URL(filesite.service.sandbox.upstream('filesite').baseUrl);
    expect(await follow(`${pathname}/v1.0/me/drive?a=1`)).toEqual([
      { path: '/v1.0/me/drive', query: { a: '1' } },
    ]);
  });
});
