import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { executeTool } from '../../support/tools/execute-tool.js';
import { type NetworkService, startNetwork } from '../../support/upstreams/start-network.js';

const PROFILE = { profile: 'https://www.linkedin.com/in/ada-lovelace' };

let network: NetworkService;

beforeAll(async () => {
  network = await startNetwork();
});

afterAll(() => network.stop());

beforeEach(() => network.service.sandbox.reset());

const requests = () => network.service.sandbox.requests();

const execute = (tool: string, toolInput: object) =>
  executeTool(network.application, `network_${tool}`, { connectedAccountId: network.accountId, toolInput });

async function expectRefused(tool: string, input: object, broken: object): Promise<void> {
  const reply = await execute(tool, input);
  const errors = expect.arrayContaining([expect.objectContaining(broken)]);
  expect(reply.json()).toMatchObject({ error: { code: 'invalid_input', details: { errors } } });
  expect(await requests()).toEqual([]);
}

async function sentBy(tool: string, input: object): Promise<unknown> {
  expect((await execute(tool, input)).status).toBe(200);
  return (await requests()).at(-1)?.query;
}

describe('Profile comments or reactions page above 1 without pagination_token', () => {
  test.each(['profile_comments_list', 'profile_reactions_list'])('is refused: %s', async (tool) => {
    await expectRefused(tool, { ...PROFILE, page: 2 }, { field: 'pagination_token', rule: 'required' });
    await sentBy(tool, { ...PROFILE, page: 1 });
  });
});

describe('Filter rule violated (none or more than one of the exactly-one filters)', () => {
  test.each([
    { tool: 'profile_scrape', filters: ['profile_url', 'public_identifier', 'profile_id'] },
    { tool: 'company_scrape', filters: ['company_url', 'universal_name', 'search'] },
    { tool: 'job_get', filters: ['job_url', 'job_id'] },
    { tool: 'group_get', filters: ['group_id', 'url'] },
    { tool: 'company_posts_list', filters: ['company', 'company_universal_name'] },
    { tool: 'profile_posts_list', filters: ['profile', 'profile_id', 'profile_public_identifier'] },
  ])('is refused: $tool', async ({ tool, filters }) => {
    await expectRefused(tool, {}, { rule: 'exactlyOneOf' });
    for (const one of filters) {
      for (const other of filters.filter((name) => name !== one))
        await expectRefused(tool, { [one]: 'a', [other]: 'b' }, { rule: 'exactlyOneOf' });
    }
  });
});

describe('Lead and people search', () => {
  const values = (count: number) => Array.from({ length: count }, (_, index) => `value ${index}`).join(',');

  test.each(['people_search', 'leads_search'])('%s: page default 1, max 100', async (tool) => {
    await expectRefused(tool, { page: 101 }, { field: 'page', rule: 'maximum' });
    await expectRefused(tool, { page: 0 }, { field: 'page', rule: 'minimum' });
    expect(await sentBy(tool, {})).toEqual({ page: '1' });
    expect(await sentBy(tool, { page: 100 })).toEqual({ page: '100' });
  });

  test.each([
    { tool: 'people_search', field: 'current_companies', most: 50 },
    { tool: 'leads_search', field: 'current_companies', most: 50 },
    { tool: 'leads_search', field: 'past_companies', most: 50 },
    ...['current_job_titles', 'first_names', 'last_names', 'locations', 'industry_ids'].flatMap((field) =>
      ['people_search', 'leads_search'].map((tool) => ({ tool, field, most: 70 })),
    ),
    { tool: 'leads_search', field: 'past_job_titles', most: 70 },
  ])('$tool: $field max $most', async ({ tool, field, most }) => {
    await expectRefused(tool, { [field]: values(most + 1) }, { field, rule: 'pattern' });
    await sentBy(tool, { [field]: values(most) });
  });
});

describe('a field with comma-separated choices', () => {
  test.each([
    { field: 'employment_type', good: 'full-time,part-time,contract,temporary,internship' },
    { field: 'experience_level', good: 'internship,entry,associate,mid-senior,director,executive' },
    { field: 'workplace_type', good: 'office,hybrid,remote' },
  ])('accepts every choice and refuses others: $field', async ({ field, good }) => {
    await expectRefused('jobs_search', { [field]: `${good},other` }, { field, rule: 'pattern' });
    expect(await sentBy('jobs_search', { [field]: good })).toMatchObject({ page: '1' });
  });
});

describe('the request of a network tool', () => {
  test('contains flags only when they are true', async () => {
    const flags = { main: false, find_email: false, include_about_profile: false, skip_smtp: true };

    const query = await sentBy('profile_scrape', { public_identifier: 'ada-lovelace', ...flags });

    expect(query).toEqual({ publicIdentifier: 'ada-lovelace' });
    expect(await sentBy('leads_search', { recently_changed_jobs: false })).toEqual({ page: '1' });
  });

  test('contains easy_apply when it is true and when it is false', async () => {
    expect(await sentBy('jobs_search', { easy_apply: false })).toEqual({ easyApply: 'false', page: '1' });
    expect(await sentBy('jobs_search', { easy_apply: true })).toEqual({ easyApply: 'true', page: '1' });
  });

  test.each([
    { given: 'past-24h', sent: '24h' },
    { given: 'past-week', sent: 'week' },
    { given: 'past-month', sent: 'month' },
  ])('contains $sent for posts of the $given', async ({ given, sent }) => {
    expect(await sentBy('posts_search', { posted_limit: given })).toMatchObject({ postedLimit: sent });
  });

  test('contains the days of ads only with a custom range, which they imply', async () => {
    const days = { startdate: '2026-10-01', enddate: '2026-10-31' };

    await expectRefused(
      'ads_search',
      { ...days, date_option: 'last-year' },
      { field: 'date_option', rule: 'const' },
    );
    expect(await sentBy('ads_search', days)).toEqual({ ...days, dateOption: 'custom-date-range' });
  });
});

const inputOf = (tool: string) =>
  JSON.parse(
    readFileSync(new URL(`../../../../../schemas/network/tools/${tool}.json`, import.meta.url), 'utf8'),
  ).versions[0].input.properties;

test.each([
  {
    tool: 'network_leads_search',
    input: 'industry_ids',
    ids: [/4 = Software Development;/, /1999 = Education\./],
  },
  {
    tool: 'network_leads_search',
    input: 'seniority_level_ids',
    ids: [/100 = In Training;/, /320 = Owner or Partner\./],
  },
  {
    tool: 'network_leads_search',
    input: 'years_of_experience_ids',
    ids: [/2 = 1 to 2 years;/, /5 = More than 10 years\./],
  },
  { tool: 'network_leads_search', input: 'geo_ids', ids: [/geoId in results of network_geo_search/] },
  {
    tool: 'network_people_search',
    input: 'industry_ids',
    ids: [/4 = Software Development;/, /1999 = Education\./],
  },
  {
    tool: 'network_people_search',
    input: 'seniority_level_ids',
    ids: [/100 = In Training;/, /320 = Owner or Partner\./],
  },
])('$input of $tool says which ids exist', ({ tool, input, ids }) => {
  for (const id of ids) expect(inputOf(tool)[input].description).toMatch(id);
});
