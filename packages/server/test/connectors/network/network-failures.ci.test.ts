import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { executeTool } from '../../support/tools/execute-tool.js';
import { type NetworkService, startNetwork } from '../../support/upstreams/start-network.js';

const ADA = 'https://www.linkedin.com/in/ada-lovelace';
const POST = 'https://www.linkedin.com/feed/update/urn:li:activity:7250000000000000000';

let network: NetworkService;

beforeAll(async () => {
  network = await startNetwork();
});

afterAll(() => network.stop());

beforeEach(() => network.service.sandbox.reset());

const execute = (tool: string, toolInput: object) =>
  executeTool(network.application, `network_${tool}`, { connectedAccountId: network.accountId, toolInput });

const profile = { profile: ADA };
const search = { search: 'engine' };
const bulk = { scraper_token: 'sandbox-scraper', profile_urls: [ADA] };

// Valid input of every tool, an invalid input, and the field and rule of the expected error.
const CALLS = [
  { tool: 'ad_get', good: { ad_id: '600000000' }, bad: {}, field: '', rule: 'minProperties' },
  { tool: 'ads_search', good: {}, bad: { startdate: '1 May' }, field: 'startdate', rule: 'format' },
  { tool: 'comment_reactions_list', good: { url: POST }, bad: {}, field: 'url', rule: 'required' },
  { tool: 'companies_search', good: search, bad: { page: 0 }, field: 'page', rule: 'minimum' },
  { tool: 'company_posts_list', good: { company: 'x' }, bad: {}, field: '', rule: 'exactlyOneOf' },
  {
    tool: 'company_scrape',
    good: search,
    bad: { ...search, universal_name: 'x' },
    field: '',
    rule: 'exactlyOneOf',
  },
  { tool: 'geo_search', good: search, bad: { search: 7 }, field: 'search', rule: 'type' },
  { tool: 'group_get', good: { group_id: '500' }, bad: {}, field: '', rule: 'exactlyOneOf' },
  { tool: 'groups_search', good: search, bad: {}, field: 'search', rule: 'required' },
  { tool: 'job_get', good: { job_id: '4' }, bad: { job_id: 4 }, field: 'job_id', rule: 'type' },
  {
    tool: 'jobs_search',
    good: search,
    bad: { workplace_type: 'moon' },
    field: 'workplace_type',
    rule: 'pattern',
  },
  { tool: 'leads_search', good: search, bad: { page: 101 }, field: 'page', rule: 'maximum' },
  {
    tool: 'people_search',
    good: search,
    bad: { geo_ids: '1' },
    field: 'geo_ids',
    rule: 'additionalProperties',
  },
  { tool: 'post_comments_list', good: { post: POST }, bad: { url: POST }, field: 'post', rule: 'required' },
  { tool: 'post_get', good: { url: POST }, bad: { url: '' }, field: 'url', rule: 'minLength' },
  { tool: 'post_reactions_list', good: { post: POST }, bad: {}, field: 'post', rule: 'required' },
  { tool: 'posts_search', good: search, bad: { posted_limit: 'week' }, field: 'posted_limit', rule: 'enum' },
  { tool: 'profile_comments_list', good: profile, bad: { page: 1 }, field: '', rule: 'atLeastOneOf' },
  {
    tool: 'profile_posts_list',
    good: profile,
    bad: { ...profile, profile_id: 'x' },
    field: '',
    rule: 'exactlyOneOf',
  },
  { tool: 'profile_reactions_list', good: profile, bad: {}, field: '', rule: 'atLeastOneOf' },
  { tool: 'profile_scrape', good: { profile_id: 'x' }, bad: { main: true }, field: '', rule: 'exactlyOneOf' },
  {
    tool: 'profiles_bulk_scrape',
    good: bulk,
    bad: { profile_urls: [ADA] },
    field: 'scraper_token',
    rule: 'required',
  },
  { tool: 'services_search', good: search, bad: { location: 'Berlin' }, field: 'search', rule: 'required' },
  {
    tool: 'timetracking_company_get',
    good: { account_id: '1' },
    bad: {},
    field: 'account_id',
    rule: 'required',
  },
];

test.each(CALLS)(
  '$tool refuses an input that breaks $rule and sends nothing',
  async ({ tool, bad, field, rule }) => {
    const reply = await execute(tool, bad);

    expect(reply.status).toBe(400);
    const errors = expect.arrayContaining([expect.objectContaining({ field, rule })]);
    expect(reply.json()).toMatchObject({ error: { code: 'invalid_input', details: { errors } } });
    expect(await network.service.sandbox.requests()).toEqual([]);
  },
);

// Calls cost credits, so no failed call is repeated. The status is 500, because 20 responses with 503 open the circuit
// breaker.
test.each(CALLS)('$tool returns an error of the upstream after one request', async ({ tool, good }) => {
  await network.service.sandbox.dials('network', { failNext: { count: 1, status: 500 } });

  const reply = await execute(tool, good);

  expect(reply.status).toBe(502);
  expect(reply.json()).toMatchObject({
    error: {
      code: 'upstream_failed',
      details: { status: 500, body: expect.anything(), advice: expect.stringContaining('billed') },
    },
  });
  expect(await network.service.sandbox.requests()).toHaveLength(1);
});

test('the table contains every tool', () => {
  expect(CALLS.map(({ tool }) => `network_${tool}`)).toEqual(network.record.names);
});

test.each([
  {
    title: 'a string error',
    body: { error: 'Profile is private or not available', element: null },
    message: /Profile is private/,
    status: 424,
  },
  {
    title: 'an object error',
    body: { error: { message: 'Try later' } },
    message: /responded with 200: "Try later"/,
    status: 424,
  },
  {
    title: 'a missing record',
    body: { error: null, element: null },
    message: /has no value in the field "element"/,
    status: 502,
  },
])('treats a response of status 200 with $title as a failure', async ({ body, message, status }) => {
  await network.service.sandbox.dials('network', { failNext: { count: 1, status: 200, body } });

  const reply = await execute('profile_scrape', { profile_url: ADA });

  expect(reply.status).toBe(status);
  expect(reply.json()).toMatchObject({
    error: {
      code: 'upstream_failed',
      message: expect.stringMatching(message),
      details: { status: 200, body },
    },
  });
});

test('a list without its records is a failure, and an empty list is a result', async () => {
  await network.service.sandbox.dials('network', { failNext: { count: 1, status: 200, body: {} } });

  const failed = await execute('groups_search', search);
  const empty = await execute('groups_search', { search: 'nothing of that name' });

  expect(failed.json()).toMatchObject({ error: { details: { status: 200 } } });
  expect(empty.json()).toMatchObject({ data: { elements: [], nextPage: null } });
});

test('a timed-out scraper run reports that it is billed', async () => {
  await network.service.sandbox.dials('network', { failNext: { count: 1, status: 408 } });

  const reply = await execute('profiles_bulk_scrape', bulk);

  expect(reply.json()).toMatchObject({
    error: {
      details: {
        status: 408,
        body: { error: { type: 'run-timeout-exceeded' } },
        advice: expect.stringContaining('billed'),
      },
    },
  });
});
