import { describe, expect, test } from 'vitest';
import { call, sandbox, scrape, useNetwork } from './setup.js';

useNetwork();

const ADA = 'https://www.linkedin.com/in/ada-lovelace';
const GRACE = 'https://www.linkedin.com/in/grace-hopper';
const SEARCH = '/linkedin/geo-id-search?search=Berlin';
const COMPANY = '/timetracking/v2/company';
const ACTOR = 'harvestapi~linkedin-profile-scraper';

describe('the scraping platform', () => {
  test('returns each profile once in its own order with the original query', async () => {
    const { status, body } = await scrape({ urls: [ADA, GRACE, ADA, `${ADA}-2`] });

    expect(status).toBe(201);
    expect(body.map((item: { originalQuery: { query: string } }) => item.originalQuery.query)).toEqual([
      GRACE,
      ADA,
    ]);
  });

  test('returns emails only in the email search mode', async () => {
    const plain = await scrape({ urls: [ADA], findEmail: true });
    const searched = await scrape({
      urls: [ADA],
      profileScraperMode: 'Profile details + email search ($10 per 1k)',
    });

    expect(plain.body[0].emails).toEqual([]);
    expect(searched.body[0].emails).toEqual([{ email: 'ada.lovelace@analytical-engines.example' }]);
  });

  test.each([
    { query: 'limit=1', expected: [GRACE] },
    { query: 'limit=1&offset=1', expected: [ADA] },
    { query: 'desc=true', expected: [ADA, GRACE] },
    { query: 'maxItems=1&format=json', expected: [GRACE] },
  ])('returns the requested items: $query', async ({ query, expected }) => {
    const { body } = await scrape({ urls: [ADA, GRACE] }, ACTOR, query);

    expect(body.map((item: { linkedinUrl: string }) => item.linkedinUrl)).toEqual(expected);
  });

  test('returns the requested fields, also at the newer path', async () => {
    const path = `/scraper/v2/acts/${ACTOR}/run-sync-get-dataset-items?fields=firstName,lastName&omit=lastName`;
    const headers = { authorization: 'Bearer sandbox-token' };
    const { status, body } = await call(path, { method: 'POST', headers, body: { urls: [ADA] } });

    expect([status, body]).toEqual([201, [{ firstName: 'Ada' }]]);
  });

  test.each(['limit=many', 'maxItems=-1', 'format=none'])('refuses %s', async (query) => {
    expect((await scrape({ urls: [ADA] }, ACTOR, query)).status).toBe(400);
  });

  test('refuses an unknown mode', async () => {
    const response = await scrape({ urls: [ADA], profileScraperMode: 'Profile details + email search' });

    expect(response).toMatchObject({ status: 400, body: { error: { type: 'invalid-input' } } });
  });

  test('returns 404 for an unknown actor', async () => {
    expect(await scrape({ urls: [ADA] }, 'somebody~else')).toMatchObject({
      status: 404,
      body: { error: { message: 'Actor was not found' } },
    });
  });
});

describe('the time-tracking service', () => {
  test.each([
    { title: 'the account of the token', id: '123456', status: 200 },
    { title: 'another account', id: '1', status: 404 },
  ])('returns $status for $title', async ({ id, status }) => {
    const headers = { authorization: 'Bearer sandbox-token', 'harvest-account-id': id };

    expect(await call(COMPANY, { headers })).toMatchObject({ status });
  });
});

test.each([
  { title: 'a missing key', path: SEARCH, headers: {} },
  { title: 'an unknown key', path: SEARCH, headers: { 'x-api-key': 'key' } },
  {
    title: 'a bearer token together with the key',
    path: SEARCH,
    headers: { 'x-api-key': 'sandbox-key', authorization: 'Bearer sandbox-token' },
  },
  {
    title: 'the scraping token as the key',
    path: SEARCH,
    headers: { 'x-api-key': 'sandbox-scraper-1' },
  },
  {
    title: 'the data key together with the time-tracking token',
    path: COMPANY,
    headers: { authorization: 'Bearer sandbox-token', 'x-api-key': 'sandbox-key' },
  },
  {
    title: 'the data key as the time-tracking token',
    path: COMPANY,
    headers: { authorization: 'Bearer sandbox-network-1' },
  },
])('refuses a request with $title and records it', async ({ path, headers }) => {
  await sandbox.clearRequests();

  const { status } = await call(path, { headers: { ...headers, 'harvest-account-id': '123456' } });

  expect(status).toBe(401);
  expect(await sandbox.requests('network')).toMatchObject([{ status: 401 }]);
});
