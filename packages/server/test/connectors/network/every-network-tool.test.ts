import type { Network } from '@svc/network';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collect } from '../../support/collect.js';
import { rejection } from '../../support/rejection.js';
import { type NetworkService, startNetwork } from '../../support/upstreams/start-network.js';

const ADA = 'https://www.linkedin.com/in/ada-lovelace';
const GRACE = 'https://www.linkedin.com/in/grace-hopper';
const COMPANY = 'https://www.linkedin.com/company/analytical-engines';
const TOKEN = 'sandbox-scraper-of-this-call';

let network: NetworkService;
let tools: Network;

beforeAll(async () => {
  network = await startNetwork();
  tools = network.tools;
});

afterAll(() => network.stop());

async function firstPost(): Promise<string> {
  const { data } = await tools.profilePostsList({ profile: ADA });
  return `${data.elements[0]?.linkedinUrl}`;
}

describe('a record', () => {
  test('is the same profile by URL, slug and id', async () => {
    const { data: byUrl } = await tools.profileScrape({ profile_url: ADA });
    const { data: bySlug } = await tools.profileScrape({ public_identifier: 'ada-lovelace' });
    const { data: byId } = await tools.profileScrape({ profile_id: `${byUrl.element.id}` });

    expect(byUrl.element).toMatchObject({
      firstName: 'Ada',
      headline: 'Software Engineer at Analytical Engines',
    });
    expect([bySlug.element, byId.element]).toEqual([byUrl.element, byUrl.element]);
  });

  test('contains the fields that the flags of a profile request, at their cost', async () => {
    const { data: plain } = await tools.profileScrape({
      profile_url: ADA,
      main: false,
      find_email: false,
      include_about_profile: false,
    });
    const { data: detailed } = await tools.profileScrape({
      profile_url: ADA,
      main: true,
      find_email: true,
      skip_smtp: true,
      include_about_profile: true,
    });

    expect(plain.element).toMatchObject({
      emails: [],
      skills: [{ name: 'Analysis' }, { name: 'Compilers' }],
    });
    expect(plain.element).not.toHaveProperty('registeredAt');
    expect(detailed.element).toMatchObject({
      emails: [{ email: 'ada.lovelace@analytical-engines.example', isVerified: false }],
      registeredAt: expect.stringMatching(/^2012-/),
    });
    expect(detailed.element).not.toHaveProperty('experience');
    expect([plain.cost, detailed.cost]).toEqual([2, 4]);
  });

  test('is the same company by URL, universal name and search', async () => {
    const { data: byUrl } = await tools.companyScrape({ company_url: COMPANY });
    const { data: byName } = await tools.companyScrape({ universal_name: 'analytical-engines' });
    const { data: bySearch } = await tools.companyScrape({ search: 'Analytical' });

    expect(byUrl.element).toMatchObject({ name: 'Analytical Engines', linkedinUrl: COMPANY });
    expect([byName.element, bySearch.element]).toEqual([byUrl.element, byUrl.element]);
  });

  test('can be fetched by the id or URL in a search result: job, group and ad', async () => {
    const { data: jobs } = await tools.jobsSearch({ search: 'data scientist' });
    const { data: groups } = await tools.groupsSearch({ search: 'compiler' });
    const { data: ads } = await tools.adsSearch({ keyword: 'engines' });

    const { data: job } = await tools.jobGet({ job_url: `${jobs.elements[0]?.url}` });
    const { data: group } = await tools.groupGet({ group_id: `${groups.elements[0]?.id}` });
    const { data: ad } = await tools.adGet({ url: `${ads.elements[0]?.url}` });

    expect(job.element).toMatchObject({ id: jobs.elements[0]?.id, title: 'Data Scientist' });
    expect(group.element.name).toBe(groups.elements[0]?.name);
    expect(ad.element.variants).toMatchObject([{ content: ads.elements[0]?.content }]);
  });

  test('contains the author of a post, and the URL of the post leads to comments and reactions', async () => {
    const post = await firstPost();

    const { data: one } = await tools.postGet({ url: post });
    const { data: comments } = await tools.postCommentsList({ post });
    const { data: reactions } = await tools.postReactionsList({ post });
    const { data: likes } = await tools.commentReactionsList({ url: `${comments.elements[0]?.linkedinUrl}` });

    expect(one.element).toMatchObject({ linkedinUrl: post, author: { name: 'Ada Lovelace' } });
    expect(comments.elements).toHaveLength(100);
    expect(reactions.elements[0]).toMatchObject({ postId: one.element.id, actor: { name: 'Grace Hopper' } });
    expect(likes.elements.length).toBeGreaterThan(0);
  });
});

describe('a list', () => {
  test.each([
    { title: 'people', each: () => tools.peopleSearch.each({}), count: 59 },
    { title: 'leads', each: () => tools.leadsSearch.each({}), count: 59 },
    { title: 'companies', each: () => tools.companiesSearch.each({}), count: 60 },
    { title: 'jobs', each: () => tools.jobsSearch.each({}), count: 60 },
    { title: 'posts', each: () => tools.postsSearch.each({}), count: 165 },
    { title: 'groups', each: () => tools.groupsSearch.each({ search: 'builders' }), count: 12 },
    { title: 'services', each: () => tools.servicesSearch.each({ search: 'accounting' }), count: 20 },
    { title: 'posts of a profile', each: () => tools.profilePostsList.each({ profile: ADA }), count: 55 },
    { title: 'posts of a company', each: () => tools.companyPostsList.each({ company: COMPANY }), count: 55 },
  ])('returns every page and no duplicate: $title', async ({ each, count }) => {
    const ids = (await collect<{ id?: string | null }>(each())).map(({ id }) => id);

    expect(ids).toHaveLength(count);
    expect(new Set(ids).size).toBe(count);
  });

  test.each([
    {
      title: 'comments of a profile',
      list: (page: object) => tools.profileCommentsList({ profile: ADA, ...page }),
    },
    {
      title: 'reactions of a profile',
      list: (page: object) => tools.profileReactionsList({ profile: ADA, ...page }),
    },
  ])('continues with the pagination token of the previous page: $title', async ({ list }) => {
    const { data: first } = await list({});
    const { data: second } = await list({
      page: first.nextPage,
      pagination_token: first.pagination?.paginationToken,
    });

    expect(first).toMatchObject({ nextPage: 2, elements: { length: 100 } });
    expect(second).toMatchObject({ nextPage: null, pagination: { pageNumber: 2 } });
    expect(first.elements).not.toContainEqual(second.elements[0]);
  });
});

describe('a search', () => {
  test('matches any of several values and all filters: people', async () => {
    const { data } = await tools.peopleSearch({
      current_job_titles: 'Recruiter,Data Scientist',
      locations: 'London,Berlin',
    });

    expect(data.elements.length).toBeGreaterThan(0);
    for (const { headline, location } of data.elements) {
      expect(headline).toMatch(/Recruiter|Data Scientist/);
      expect(location).toMatchObject({ linkedinText: expect.stringMatching(/London|Berlin/) });
    }
  });

  test('prefers the id of a region to its name: leads', async () => {
    const { data: regions } = await tools.geoSearch({ search: 'berlin' });
    const { data } = await tools.leadsSearch({ geo_ids: `${regions.entityId}`, locations: 'London' });

    expect(regions.elements[0]).toEqual({ geoId: regions.entityId, title: 'Berlin, Germany' });
    expect(data.elements.length).toBeGreaterThan(0);
    for (const { location } of data.elements)
      expect(location).toMatchObject({ linkedinText: 'Berlin, Germany' });
  });

  test('filters by past companies, job changes and saved searches: leads', async () => {
    const { data: all } = await tools.leadsSearch({ past_companies: 'Difference Works' });
    const { data: changed } = await tools.leadsSearch({
      past_companies: 'Difference Works',
      recently_changed_jobs: true,
    });
    const { data: saved } = await tools.leadsSearch({
      prospecting_search_url: 'https://www.linkedin.com/sales/search/people?query=(keywords:Grace)',
      last_names: 'Nobody',
    });

    expect(changed.elements.length).toBeLessThan(all.elements.length);
    expect(saved.elements.map(({ firstName }) => firstName)).toContain('Grace');
  });

  test('separates jobs with easy apply from the others: jobs', async () => {
    const count = async (input: object) =>
      (await tools.jobsSearch({ search: 'engineer', ...input })).data.pagination?.totalElements ?? 0;

    const [both, easy, others] = [
      await count({}),
      await count({ easy_apply: true }),
      await count({ easy_apply: false }),
    ];

    expect([easy > 0, others > 0, easy + others]).toEqual([true, true, both]);
  });

  test('filters by the given period: posts', async () => {
    const countOf = async (posted_limit: 'past-24h' | 'past-week' | 'past-month') =>
      (await tools.postsSearch({ posted_limit })).data.pagination?.totalElements ?? 0;

    const counts = [await countOf('past-24h'), await countOf('past-week'), await countOf('past-month')];

    expect(counts).toEqual([...counts].sort((one, other) => one - other));
    expect(new Set(counts).size).toBe(3);
  });

  test('filters by a custom range of days: ads', async () => {
    const { data } = await tools.adsSearch({ startdate: '2001-01-01', enddate: '2001-12-31' });

    expect(data.elements).toEqual([]);
  });

  test('filters by region: companies and services', async () => {
    const { data: companies } = await tools.companiesSearch({ location: 'Berlin', company_size: '51-200' });
    const { data: services } = await tools.servicesSearch({ search: 'translation', geo_id: '106967730' });

    expect(companies.elements.length).toBeGreaterThan(0);
    for (const { location } of [...companies.elements, ...services.elements])
      expect(location).toMatchObject({ linkedinText: 'Berlin, Germany' });
  });
});

describe('a bulk scrape', () => {
  test('returns each profile once with its query', async () => {
    const { data } = await tools.profilesBulkScrape({
      scraper_token: TOKEN,
      profile_urls: [ADA, GRACE, ADA, `${ADA}-unknown`],
    });

    const queries = data.map(({ originalQuery, emails }) => ({ originalQuery, emails }));
    expect(queries).toHaveLength(2);
    expect(queries).toContainEqual({ originalQuery: { query: ADA }, emails: [] });
    expect(queries).toContainEqual({ originalQuery: { query: GRACE }, emails: [] });
  });

  test('searches emails on request', async () => {
    const { data } = await tools.profilesBulkScrape({
      scraper_token: TOKEN,
      profile_urls: [ADA],
      find_email: true,
    });

    expect(data[0]?.emails).toEqual([{ email: 'ada.lovelace@analytical-engines.example' }]);
  });

  test('reports the profiles already scraped and billed when a later part fails', async () => {
    const { sandbox } = network.service;
    const { data: people } = await tools.peopleSearch({});
    const urls = people.elements.map(({ linkedinUrl }) => `${linkedinUrl}`);
    const unknown = Array.from({ length: 40 }, (_, index) => `${ADA}-${index}`);
    await sandbox.clearRequests();
    await sandbox.dials('network', { failNext: { count: 1, status: 408, after: 1 } });

    const error = await rejection(
      tools.profilesBulkScrape({ scraper_token: TOKEN, profile_urls: [...urls, ...unknown] }),
    );
    const runs = await sandbox.requests('network');

    expect(runs.map(({ status }) => status)).toEqual([201, 408]);
    expect(error).toMatchObject({
      code: 'upstream_failed',
      status: 408,
      message: expect.stringMatching(/first 50 of 65 profiles were scraped and are in progress\.items/),
      advice: expect.stringMatching(/continues and is billed/),
      details: { progress: { done: 50, items: { length: urls.length }, remaining: unknown.slice(25) } },
    });
  });
});

test('a time-tracking account contains its plan, clock and capacity', async () => {
  const { data } = await tools.timetrackingCompanyGet({ account_id: '123456' });

  expect(data).toMatchObject({
    name: 'Analytical Engines',
    clock: '24h',
    currency: 'GBP',
    weekly_capacity: 126_000,
  });
});

test('the tests above call every tool of the catalogue', () => {
  process.stdout.write(`${network.record.coverage()}\n`);

  expect(network.record.called()).toEqual(network.record.names);
});
