import { loadCatalog } from '@svc/catalog';
import { expect, test } from 'vitest';
import { createResponseBody } from '../http/response-body.js';
import type { HttpRequest } from '../http/send-http.js';
import { secret } from '../secret.js';
import { createBreaker } from '../upstream/breaker.js';
import { createForward } from '../upstream/forward.js';
import { createLimiter } from '../upstream/limiter.js';
import { createProxyRouter } from './proxy-route.js';

const { connectors } = loadCatalog();
const route = createProxyRouter(connectors);

/**
 * Sends a request through the proxy with the connector's default URLs. Returns the request that arrives at the
 * upstream.
 */
async function wireOf(id: string, method: string, url: string): Promise<HttpRequest> {
  const connector = connectors.get(id);
  if (connector === undefined) throw new Error(`There is no connector "${id}".`);
  const sent: HttpRequest[] = [];
  const forward = createForward({
    connectors,
    credentials: {
      cached: () => undefined,
      notHelped: () => undefined,
      end: async () => undefined,
      current: async (_, name = 'main') => ({ secret: secret(`<${name}>`), version: 1 }),
      renew: async () => undefined,
    },
    send: async (request) => {
      sent.push(request);
      const { body, end } = createResponseBody({ pause: () => {}, resume: () => {}, abort: () => {} });
      end();
      return { status: 200, headers: {}, body };
    },
    limiter: createLimiter(),
    breaker: createBreaker({ now: () => 0 }),
  });
  const account = {
    id: 'acct_1',
    applicationId: 'app_1',
    identifier: 'user_42',
    connectionId: 'conn_1',
    connectionName: id,
    connector: id,
    baseUrl: connector.baseUrl,
    hosts: {},
  };
  const [path = '', query = ''] = url.split('?', 2);
  const headers = ['authorization', 'Bearer mine', 'x-api-key', 'mine', 'content-type', 'text/plain'];
  await forward(account, { ...route(account, { method, path, query }), headers });
  const [request] = sent;
  if (request === undefined) throw new Error('Nothing was sent.');
  return request;
}

const SITE = 'contoso.sharepoint.com,0af1,b7c2';
const SCRAPE = '/v2/acts/harvestapi~linkedin-profile-scraper/run-sync-get-dataset-items';
const GRAPH = 'https://graph.microsoft.com';
const NETWORK = 'https://api.harvest-api.com/linkedin';

interface Row {
  readonly connector: string;
  readonly method?: string;
  readonly path: string;
  readonly url: string;
  /**
   * Header with the account's credential that the upstream must receive. Default: `Authorization` with a bearer token.
   */
  readonly credential?: readonly [header: string, value: string];
}

const BEARER = ['authorization', 'Bearer <main>'] as const;
const KEY = ['x-api-key', '<main>'] as const;

const rows: readonly Row[] = [
  { connector: 'workspace', path: '/v1/users/me', url: 'https://api.notion.com/v1/users/me' },
  {
    connector: 'calendar',
    path: '/calendar/v3/users/me/calendarList',
    url: 'https://www.googleapis.com/calendar/v3/users/me/calendarList',
  },
  { connector: 'filesite', path: '/v1.0/me/sites', url: `${GRAPH}/v1.0/me/sites` },
  { connector: 'filesite', path: '/v1.0/sites/root', url: `${GRAPH}/v1.0/sites/root` },
  {
    connector: 'filesite',
    path: `/v1.0/sites/${SITE}/drive/root:/Plan%20(2)%20%23%20%25.docx`,
    url: `${GRAPH}/v1.0/sites/${SITE}/drive/root:/Plan%20(2)%20%23%20%25.docx`,
  },
  {
    connector: 'filesite',
    method: 'PUT',
    path: `/v1.0/sites/${SITE}/drive/root:/a/Jahresübersicht.pdf:/content?@microsoft.graph.conflictBehavior=fail`,
    url: `${GRAPH}/v1.0/sites/${SITE}/drive/root:/a/Jahres%C3%BCbersicht.pdf:/content?@microsoft.graph.conflictBehavior=fail`,
  },
  {
    connector: 'network',
    path: '/network/profile?url=https%3A%2F%2Fwww.linkedin.com%2Fin%2Fada',
    url: `${NETWORK}/profile?url=https%3A%2F%2Fwww.linkedin.com%2Fin%2Fada`,
    credential: KEY,
  },
  {
    connector: 'network',
    path: '/network/lead-search?title=CTO&location=Berlin',
    url: `${NETWORK}/lead-search?currentJobTitles=CTO&locations=Berlin`,
    credential: KEY,
  },
  { connector: 'network', path: '/network/company?url=x', url: `${NETWORK}/company?url=x`, credential: KEY },
  {
    connector: 'network',
    path: '/network/job-search?keywords=node&location=Berlin',
    url: `${NETWORK}/job-search?search=node&location=Berlin`,
    credential: KEY,
  },
  { connector: 'network', path: '/network/job?url=x', url: `${NETWORK}/job?url=x`, credential: KEY },
  {
    connector: 'network',
    method: 'POST',
    path: SCRAPE,
    url: `https://api.apify.com${SCRAPE}`,
    credential: ['authorization', 'Bearer <scraper_token>'],
  },
  {
    connector: 'video',
    path: '/v1/media/CHANNEL/jobs/1/reports/2?alt=media',
    url: 'https://youtubereporting.googleapis.com/v1/media/CHANNEL/jobs/1/reports/2?alt=media',
  },
];

test.each(rows)(
  '$connector $path is sent to its host with one credential',
  async ({ connector, method = 'GET', path, url, credential = BEARER }) => {
    const sent = await wireOf(connector, method, path);
    expect([sent.method, sent.origin + sent.path]).toEqual([method, url]);
    const pairs = sent.headers.flatMap((name, index) =>
      index % 2 === 0 ? [[name.toLowerCase(), sent.headers[index + 1]]] : [],
    );
    // Expects that credentials of the caller never reach the upstream. The caller's `x-api-key` is forwarded as an
    // ordinary header, except to the connector `network`, which sends its own credential in `x-api-key`.
    expect(pairs.filter(([, value]) => value?.includes('mine'))).toEqual(
      connector === 'network' ? [] : [['x-api-key', 'mine']],
    );
    expect(pairs.filter(([, value]) => value?.includes('<'))).toEqual([credential]);
    expect(pairs.filter(([name]) => name === 'content-type')).toEqual([['content-type', 'text/plain']]);
  },
);

test('a bulk scrape has a timeout of minutes', async () => {
  expect((await wireOf('network', 'POST', SCRAPE)).totalMs).toBe(330_000);
});

test.each(['/linkedin/profile', '/v2/company', '/v2/actors/x/runs', '/', '/v2/acts/a%2Fb/run-sync'])(
  'network refuses the path %s',
  async (path) => {
    await expect(wireOf('network', 'POST', path)).rejects.toMatchObject({ code: 'invalid_request' });
  },
);

test('connectors without routes keep every path', async () => {
  for (const { id, proxy, baseUrl } of connectors.values()) {
    if (proxy !== undefined) continue;
    const sent = await wireOf(id, 'GET', '/any/path');
    expect(sent.origin + sent.path).toBe(`${baseUrl}/any/path`);
  }
});
