import { describe, expect, test } from 'vitest';
import { get, sandbox, useNetwork } from './setup.js';

useNetwork();

const ADA = 'https://www.linkedin.com/in/ada-lovelace';
const POST = 'https://www.linkedin.com/feed/update/urn:li:activity:7250000000000000000';

describe('records of the data service', () => {
  test.each([
    { path: 'profile', query: { url: ADA }, expected: { firstName: 'Ada', lastName: 'Lovelace' } },
    { path: 'profile', query: { publicIdentifier: 'grace-hopper' }, expected: { firstName: 'Grace' } },
    { path: 'profile', query: { profileId: 'ACoAAA0000' }, expected: { firstName: 'Ada' } },
    {
      path: 'company',
      query: { universalName: 'analytical-engines' },
      expected: { name: 'Analytical Engines' },
    },
    { path: 'company', query: { search: 'difference' }, expected: { name: 'Difference Works' } },
    { path: 'job', query: { jobId: '4000000000' }, expected: { title: 'Software Engineer' } },
    { path: 'post', query: { url: POST }, expected: { author: { name: 'Ada Lovelace' } } },
    { path: 'group', query: { groupId: '500' }, expected: { name: 'Compiler builders 1' } },
    { path: 'ad', query: { adId: '600000000' }, expected: { creativeType: 'SPONSORED_STATUS_UPDATE' } },
  ])('are found: $path by $query', async ({ path, query, expected }) => {
    const { status, body } = await get(path, { ...query });

    expect(status).toBe(200);
    expect(body).toMatchObject({ error: null, query, originalQuery: query, element: expected });
  });

  test.each([
    { title: 'an unknown record', path: 'profile', query: { url: `${ADA}-2` }, status: 404 },
    { title: 'a request without an identifier', path: 'profile', query: { main: 'true' }, status: 400 },
    { title: 'an unknown path', path: 'nothing', query: {}, status: 404 },
    { title: 'an unknown enum value', path: 'job-search', query: { sortBy: 'salary' }, status: 400 },
  ])('return $status for $title', async ({ path, query, status }) => {
    const response = await get(path, { ...query });

    expect(response).toMatchObject({ status, body: { error: { status, message: expect.any(String) } } });
  });

  test('report a private profile with status 200', async () => {
    const { status, body } = await get('profile', { publicIdentifier: 'tim-liskov' });

    expect(status).toBe(200);
    expect(body).toMatchObject({ error: 'Profile is private or not available', element: null, cost: 0 });
  });

  test('treat a present flag as true for every value', async () => {
    const { body } = await get('profile', { url: ADA, findEmail: 'false', main: 'false' });

    expect(body.element).toMatchObject({ emails: [{ email: 'ada.lovelace@analytical-engines.example' }] });
    expect(body.element).not.toHaveProperty('experience');
  });
});

describe('lists of the data service', () => {
  test.each([
    { path: 'lead-search', query: {}, size: 25 },
    { path: 'company-search', query: {}, size: 50 },
    { path: 'job-search', query: {}, size: 25 },
    { path: 'post-search', query: {}, size: 50 },
    { path: 'group-search', query: { search: 'builders' }, size: 10 },
    { path: 'service-search', query: { search: 'web design' }, size: 10 },
    { path: 'profile-posts', query: { profile: ADA }, size: 50 },
    { path: 'company-posts', query: { companyUniversalName: 'analytical-engines' }, size: 50 },
    { path: 'post-comments', query: { post: POST }, size: 100 },
    { path: 'post-reactions', query: { post: POST }, size: 100 },
  ])('contain $size records per page and have a second page: $path', async ({ path, query, size }) => {
    const first = await get(path, { ...query });
    const second = await get(path, { ...query, page: '2' });

    expect(first.body.elements).toHaveLength(size);
    expect(first.body.pagination).toMatchObject({ pageNumber: 1, pageSize: size, previousElements: 0 });
    expect(second.body.pagination).toMatchObject({ pageNumber: 2, previousElements: size });
    expect(first.body.elements).not.toContainEqual(second.body.elements[0]);
  });

  test.each(['profile-comments', 'profile-reactions'])(
    'require the token of the previous page: %s',
    async (path) => {
      const first = await get(path, { profile: ADA });
      const token = first.body.pagination.paginationToken;

      const without = await get(path, { profile: ADA, page: '2' });
      const foreign = await get(path, { profileId: 'ACoAAA0001', page: '2', paginationToken: token });
      const second = await get(path, { profile: ADA, page: '2', paginationToken: token });

      expect([without.status, foreign.status, second.status]).toEqual([400, 400, 200]);
      expect(first.body.elements).toHaveLength(100);
      expect(second.body.pagination.paginationToken).toBeNull();
    },
  );

  test('omit comments from before the period', async () => {
    const of = async (postedLimit: string) =>
      (await get('profile-comments', { profile: ADA, postedLimit })).body.pagination.totalElements;

    expect(await of('24h')).toBeLessThan(await of('week'));
    expect(await of('week')).toBeLessThan(await of('month'));
  });

  test('ignore and omit unknown filters of the lead search', async () => {
    const filtered = await get('lead-search', { currentJobTitles: 'recruiter', locations: 'London' });
    const unfiltered = await get('lead-search', { title: 'recruiter', location: 'London' });

    expect(filtered.body.pagination.totalElements).toBeLessThan(10);
    expect(unfiltered.body).toMatchObject({ query: {}, pagination: { totalElements: 59 } });
  });

  test.each([
    {
      title: 'geoIds over locations',
      query: { geoIds: '106967730', locations: 'London' },
      expected: /Berlin/,
    },
    {
      title: 'salesNavUrl over all other filters',
      query: {
        salesNavUrl: 'https://www.linkedin.com/sales/search/people?query=(keywords:Grace)',
        lastNames: 'Turing',
      },
      expected: /./,
    },
    {
      title: 'a salesNavUrl with a percent sign over all other filters',
      query: { salesNavUrl: 'https://www.linkedin.com/sales/search/people?query=(keywords:Grace),100%' },
      expected: /./,
    },
  ])('prefer $title in the lead search', async ({ query, expected }) => {
    const { body } = await get('lead-search', { ...query });

    expect(body.elements.length).toBeGreaterThan(0);
    for (const { location } of body.elements) expect(location.linkedinText).toMatch(expected);
  });

  test('start with the closest location', async () => {
    const { body } = await get('geo-id-search', { search: 'london' });

    expect(body).toMatchObject({ entityId: '90009496', pagination: null });
    expect(body.elements[0]).toEqual({ geoId: '90009496', title: 'London, England, United Kingdom' });
  });

  test('filter ads by date only with the date option', async () => {
    const ignored = await get('ad-search', { startdate: '2001-01-01', enddate: '2001-01-02' });
    const counted = await get('ad-search', {
      dateOption: 'custom-date-range',
      startdate: '2001-01-01',
      enddate: '2001-01-02',
    });

    expect(ignored.body.elements).toHaveLength(24);
    expect(counted.body.elements).toEqual([]);
  });
});

test('refuses concurrent requests that exceed the plan and its queue', async () => {
  await sandbox.dials('network', { latencyMs: 200 });

  const responses = await Promise.all(
    Array.from({ length: 16 }, () => get('geo-id-search', { search: 'Berlin' })),
  );

  const statuses = responses.map(({ status }) => status).toSorted();
  expect(statuses).toEqual([...Array(15).fill(200), 429]);
});
