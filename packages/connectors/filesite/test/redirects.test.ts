import { createServer, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type RecipeClient, siteFiles } from '../src/index.js';

const requests: IncomingMessage[] = [];
const redirected: IncomingMessage[] = [];
const otherHost = createServer((request, reply) => {
  redirected.push(request);
  reply.end('of another host');
});
let status = 302;
const host = createServer((request, reply) => {
  requests.push(request);
  reply.writeHead(status, { location: `${originOf(otherHost)}/a` }).end();
});

function originOf(server: typeof host): string {
  const address = server.address();
  return `http://localhost:${typeof address === 'object' ? address?.port : ''}`;
}

const listen = (server: typeof host) => new Promise<void>((resolve) => server.listen(0, () => resolve()));

beforeAll(async () => {
  await Promise.all([listen(host), listen(otherHost)]);
});
beforeEach(() => {
  requests.splice(0);
});
afterAll(() => {
  host.close();
  otherHost.close();
});

function open() {
  const link = `${originOf(host)}/a?tempauth=secret`;
  const request = async () => ({
    status: 200,
    headers: new Headers(),
    data: { name: 'a.txt', '@microsoft.graph.downloadUrl': link, uploadUrl: link },
  });
  const call = async () => ({ baseUrl: `${originOf(host)}/api` });
  const client = { request, call } as unknown as RecipeClient;
  return siteFiles(client, { connectionName: 'filesite', identifier: 'user_42' });
}

const refused = { code: 'link_refused', message: expect.not.stringContaining('secret') };

test.each([301, 302, 303, 307, 308])('refuses a download redirect with status %i', async (redirectStatus) => {
  status = redirectStatus;
  await expect(open().download({ path: 'a.txt' })).rejects.toMatchObject(refused);
  expect([requests.length, redirected.length]).toEqual([1, 0]);
});

test.each([307, 308])(
  'refuses an upload redirect with status %i and sends the content to no other host',
  async (redirectStatus) => {
    status = redirectStatus;
    const content = new Uint8Array(4 * 1024 * 1024 + 1);
    await expect(open().upload({ path: 'a.txt', content })).rejects.toMatchObject(refused);
    expect(requests.map(({ method }) => method)).toEqual(['PUT', 'DELETE']);
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
    expect(redirected).toEqual([]);
  },
);
