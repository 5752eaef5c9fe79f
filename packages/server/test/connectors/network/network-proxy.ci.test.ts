import type { ProxyRequest } from '@svc/core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rejection } from '../../support/rejection.js';
import { type NetworkService, startNetwork } from '../../support/upstreams/start-network.js';

const ADA = 'https://www.linkedin.com/in/ada-lovelace';
const RUN = '/v2/acts/harvestapi~linkedin-profile-scraper/run-sync-get-dataset-items';

let network: NetworkService;

beforeAll(async () => {
  network = await startNetwork();
});

afterAll(() => network.stop());

beforeEach(() => network.service.sandbox.reset());

const requests = () => network.service.sandbox.requests();

const proxy = (request: Pick<ProxyRequest, 'path' | 'method'> & Partial<ProxyRequest>) =>
  network.service.svc.request<Record<string, unknown>>({
    connectionName: 'network',
    identifier: 'user_42',
    ...request,
  });

describe('the recipes of the specification', () => {
  test.each([
    {
      path: '/network/profile',
      query: { url: ADA },
      sent: { path: '/linkedin/profile', query: { url: ADA } },
      expected: { element: { firstName: 'Ada' } },
    },
    {
      path: '/network/lead-search',
      query: { title: 'Recruiter', location: 'London' },
      sent: { path: '/linkedin/lead-search', query: { currentJobTitles: 'Recruiter', locations: 'London' } },
      expected: { pagination: { totalElements: 3 } },
    },
    {
      path: '/network/company',
      query: { url: 'https://www.linkedin.com/company/analytical-engines' },
      sent: { path: '/linkedin/company' },
      expected: { element: { name: 'Analytical Engines' } },
    },
    {
      path: '/network/job-search',
      query: { keywords: 'data', location: 'Berlin' },
      sent: { path: '/linkedin/job-search', query: { search: 'data', location: 'Berlin' } },
      expected: { elements: [] },
    },
    {
      path: '/network/job',
      query: { url: 'https://www.linkedin.com/jobs/view/4000000000' },
      sent: { path: '/linkedin/job' },
      expected: { element: { id: '4000000000' } },
    },
  ])('GET $path', async ({ path, query, sent, expected }) => {
    const { status, data } = await proxy({ method: 'GET', path, queryParams: { ...query } });

    expect(status).toBe(200);
    expect(data).toMatchObject({ error: null, ...expected });
    expect(await requests()).toMatchObject([{ method: 'GET', ...sent }]);
  });

  test('POST /v2/acts/<actor_ref>/run-sync-get-dataset-items', async () => {
    const { status, data } = await proxy({ method: 'POST', path: RUN, body: { urls: [ADA] } });

    expect(status).toBe(201);
    expect(data).toMatchObject([{ firstName: 'Ada' }]);
    expect(await requests()).toMatchObject([
      { host: 'scraper', method: 'POST', path: RUN, body: { urls: [ADA] } },
    ]);
  });
});

test('an alias parameter stays when its target parameter is present too', async () => {
  await proxy({
    method: 'GET',
    path: '/network/lead-search',
    queryParams: { title: 'Recruiter', currentJobTitles: 'Data Scientist' },
  });

  expect(await requests()).toMatchObject([{ query: { currentJobTitles: 'Data Scientist' } }]);
});

test.each([
  { title: 'the original path of the upstream', method: 'GET' as const, path: '/linkedin/profile' },
  { title: 'another path of the scraping platform', method: 'GET' as const, path: '/v2/users/me' },
  {
    title: 'another method',
    method: 'POST' as const,
    path: '/network/profile',
    code: 'method_not_allowed',
  },
  { title: 'a path with parent segments', method: 'GET' as const, path: '/network/../v2/company' },
  { title: 'an actor id with a slash', method: 'POST' as const, path: RUN.replace('~', '%2F') },
])('refuses $title and sends nothing', async ({ method, path, code = 'invalid_request' }) => {
  const error = await rejection(proxy({ method, path }));

  expect(error).toMatchObject({ code });
  expect(await requests()).toEqual([]);
});
