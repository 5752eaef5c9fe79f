import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Network, network } from '@svc/network';
import { startSandbox } from '@svc/sandbox';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rejection } from '../../support/rejection.js';
import { listForSandbox } from '../../support/service/allowed-origins.js';
import { type Service, startService } from '../../support/service/service.js';

const ADA = 'https://www.linkedin.com/in/ada-lovelace';
const RUN = '/v2/acts/harvestapi~linkedin-profile-scraper/run-sync-get-dataset-items';
const SECRETS = {
  apiKey: 'sandbox-network-7f3a',
  scraper_token: 'sandbox-scraper-91bc',
  timetracking_token: 'sandbox-timetracking-e04d',
};
const OF_CALL = 'sandbox-scraper-of-this-call';

interface Host {
  readonly server: Server;
  readonly url: string;
  readonly received: IncomingHttpHeaders[];
}

/** Starts a host that responds to every request with `body`, and records the request headers. */
async function startHost(body: unknown): Promise<Host> {
  const received: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    received.push(request.headers);
    request.resume();
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${port}`, received };
}

let service: Service;
let hosts: { readonly data: Host; readonly scraper: Host; readonly timetracking: Host };
let tools: Network;

beforeAll(async () => {
  hosts = {
    data: await startHost({ error: null, element: {}, elements: [] }),
    scraper: await startHost([]),
    timetracking: await startHost({ name: 'Analytical Engines' }),
  };
  const sandbox = await startSandbox({ connectors: ['network'] });
  const origins = Object.values(hosts).map(({ url }) => url);
  const flags = ['--allowed-origins', listForSandbox(sandbox, origins)];
  service = await startService({ sandbox, flags });
  await service.app.connections.create(service.clientId, {
    connectionName: 'apart',
    connector: 'network',
    baseUrl: hosts.data.url,
    hosts: { scraper: hosts.scraper.url, timetracking: hosts.timetracking.url },
  });
  const { apiKey, ...credentials } = SECRETS;
  const account = await service.svc.getOrCreateConnectedAccount({
    connectionName: 'apart',
    identifier: 'user_42',
    apiKey,
    credentials,
  });
  tools = network(service.svc, account);
});

afterAll(async () => {
  await service.stop();
  for (const { server } of Object.values(hosts)) server.close();
});

beforeEach(() => {
  for (const { received } of Object.values(hosts)) received.length = 0;
});

const proxy = (method: 'GET' | 'POST', path: string, headers: Record<string, string> = {}) =>
  service.svc.request({ connectionName: 'apart', identifier: 'user_42', method, path, headers });

/** Returns the known secrets in each received request, by header name. */
function secretsAt({ received }: Host): unknown {
  const secrets = [...Object.values(SECRETS), OF_CALL, 'stolen'];
  return received.map((headers) =>
    Object.fromEntries(
      Object.entries(headers).filter(([, value]) => secrets.some((secret) => String(value).includes(secret))),
    ),
  );
}

describe('each of the three hosts gets only its own credential', () => {
  test.each([
    {
      title: 'a tool of the network',
      call: () => tools.profileScrape({ profile_url: ADA }),
      at: 'data' as const,
      secrets: { 'x-api-key': SECRETS.apiKey },
    },
    {
      title: 'a recipe of the network',
      call: () => proxy('GET', '/network/profile?url=ada'),
      at: 'data' as const,
      secrets: { 'x-api-key': SECRETS.apiKey },
    },
    {
      title: 'the bulk scrape, with the token of the call',
      call: () => tools.profilesBulkScrape({ scraper_token: OF_CALL, profile_urls: [ADA] }),
      at: 'scraper' as const,
      secrets: { authorization: `Bearer ${OF_CALL}` },
    },
    {
      title: 'a recipe of the scraping platform',
      call: () => proxy('POST', RUN),
      at: 'scraper' as const,
      secrets: { authorization: `Bearer ${SECRETS.scraper_token}` },
    },
    {
      title: 'the time-tracking tool',
      call: () => tools.timetrackingCompanyGet({ account_id: '123456' }),
      at: 'timetracking' as const,
      secrets: { authorization: `Bearer ${SECRETS.timetracking_token}` },
    },
  ])('$title', async ({ call, at, secrets }) => {
    await call();

    const others = Object.entries(hosts).filter(([name]) => name !== at);
    expect(secretsAt(hosts[at])).toEqual([secrets]);
    expect(others.flatMap(([, { received }]) => received)).toEqual([]);
  });

  test.each([
    { method: 'GET' as const, path: '/network/profile?url=ada', at: 'data' as const },
    { method: 'POST' as const, path: RUN, at: 'scraper' as const },
  ])('a credential header of the caller is not forwarded to $path', async ({ method, path, at }) => {
    await proxy(method, path, { 'X-API-Key': 'stolen', Cookie: 'stolen', 'Proxy-Authorization': 'stolen' });

    expect(JSON.stringify(hosts[at].received)).not.toContain('stolen');
    expect(hosts[at].received).toHaveLength(1);
  });
});

test('the time-tracking service gets the account id and a user agent', async () => {
  await tools.timetrackingCompanyGet({ account_id: '123456' });

  expect(hosts.timetracking.received).toMatchObject([
    { 'harvest-account-id': '123456', 'user-agent': expect.stringContaining('Agent Connector Service') },
  ]);
});

describe('an account without a secondary credential', () => {
  test.each([
    {
      credential: 'timetracking_token',
      call: (without: Network) => without.timetrackingCompanyGet({ account_id: '1' }),
    },
    {
      credential: 'scraper_token',
      call: () =>
        service.svc.request({ connectionName: 'apart', identifier: 'bare', method: 'POST', path: RUN }),
    },
  ])('gets an error that names $credential, and nothing is sent', async ({ credential, call }) => {
    const account = await service.svc.getOrCreateConnectedAccount({
      connectionName: 'apart',
      identifier: 'bare',
      apiKey: 'sandbox-network-bare',
    });

    const error = await rejection(call(network(service.svc, account)));

    expect(error).toMatchObject({
      code: 'account_not_authorized',
      status: 409,
      message: expect.stringContaining(credential),
      details: { credential },
    });
    expect(Object.values(hosts).flatMap(({ received }) => received)).toEqual([]);
  });

  test('can scrape in bulk with the token of the call', async () => {
    const account = await service.svc.getOrCreateConnectedAccount({
      connectionName: 'apart',
      identifier: 'bare',
      apiKey: 'sandbox-network-bare',
    });

    await network(service.svc, account).profilesBulkScrape({ scraper_token: OF_CALL, profile_urls: [ADA] });

    expect(secretsAt(hosts.scraper)).toEqual([{ authorization: `Bearer ${OF_CALL}` }]);
  });
});

test('secrets of an account or a call are neither returned nor stored with an execution', async () => {
  await tools.profilesBulkScrape({ scraper_token: OF_CALL, profile_urls: [ADA] });
  const replies = [
    await service.svc.call({ method: 'GET', path: '/v1/connections/apart/accounts' }),
    await service.svc.call({ method: 'GET', path: '/v1/executions' }),
    await rejection(
      tools.profilesBulkScrape({ scraper_token: OF_CALL, profile_urls: [ADA], find_email: 'yes' as never }),
    ),
  ];

  const text = JSON.stringify(replies);
  for (const secret of [...Object.values(SECRETS), OF_CALL]) expect(text).not.toContain(secret);
});
