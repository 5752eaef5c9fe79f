import { loadCatalog } from '@svc/catalog';
import { expect, test } from 'vitest';
import { ServiceError } from '../errors.js';
import type { UpstreamRequest } from '../upstream/request.js';
import { fromCatalogError, runRequests } from './run-requests.js';

const catalog = loadCatalog({ now: () => new Date('2026-11-20T12:00:00Z') });
const failed = (status: number, body: unknown) => new ServiceError('upstream_failed', '', { status, body });

/**
 * Runs a tool that a JSON file of the catalogue defines. The fake upstream returns `replies` in order, and throws those
 * that are errors.
 */
async function play(toolName: string, toolInput: object, replies: readonly unknown[]) {
  const tool = catalog.tools.get(toolName);
  if (tool === undefined) throw new Error(`there is no tool ${toolName}`);
  const sent: UpstreamRequest[] = [];
  const { version, input } = catalog.resolveCall(tool, { toolInput });
  const schema = catalog.plainInputSchemaOf(tool, version);
  const data = await runRequests({ version, input, schema }, async (request) => {
    const reply = replies[sent.push(request) - 1];
    if (reply instanceof Error) throw reply;
    return { status: 200, body: reply };
  }).catch((error: unknown) => fromCatalogError(error));
  return { sent, data };
}

const ACTIVITY = { activityId: '6f0d0c6e-2f0b-4c58-9a54-5a6a3c1f7e21' };
const PERIOD = { fromDate: '2025-03-01 00:00:00', toDate: '2025-03-02 00:00:00' };
const EVENT = { event_id: 'a' };
const expired = (reason: string) => failed(410, { error: { code: 410, errors: [{ reason }] } });
const generating = { status: 'generating', summary: null };
const page = (metadata?: object) => ({ results: [], metadata, failed: [] });
const activities = (metadata: object | undefined, nextPage: number | null) => ({
  name: 'convintel_activities_list',
  input: PERIOD,
  reply: page(metadata),
  data: { ...page(metadata), nextPage },
});
const summary = (reply: unknown, data: unknown) => ({
  name: 'convintel_summary_get',
  input: ACTIVITY,
  reply,
  data,
});
const list = (pagination: unknown) => ({ elements: [], pagination });
const groups = (pagination: unknown, nextPage: number | null) => ({
  name: 'network_groups_search',
  input: { search: 'engines' },
  reply: list(pagination),
  data: { ...list(pagination), nextPage },
});

test.each([
  summary({ summary: { content: 'x' } }, { status: 'ready', summary: { content: 'x' } }),
  summary(null, { status: 'none', summary: null }),
  summary({ summary: null }, { status: 'none', summary: null }),
  summary(failed(404, { message: 'Summary is being generated.' }), generating),
  summary(failed(404, { error: 'It is Being Generated' }), generating),
  summary(failed(404, { error: { message: 'still being generated' } }), generating),
  summary(failed(404, 'being generated'), generating),
  activities({ page: 1, maxPage: 3, nextPage: 2 }, 2),
  activities({ nextPage: 2 }, 2),
  activities({ page: 3, maxPage: 3, nextPage: null }, null),
  activities({ page: 3, maxPage: 3, nextPage: 4 }, null),
  activities(undefined, null),
  groups({ pageNumber: 1, totalPages: 2 }, 2),
  groups({ pageNumber: 2, totalPages: 2 }, null),
  groups({ pageNumber: null, totalPages: 2 }, null),
  groups(null, null),
  {
    name: 'calendar_delete_event',
    input: EVENT,
    reply: expired('deleted'),
    data: { deleted: true, alreadyDeleted: true },
  },
  { name: 'video_reporting_jobs_delete', input: { job_id: 'j' }, reply: {}, data: null },
  { name: 'video_analytics_groups_delete', input: { group_id: 'g' }, reply: null, data: null },
])('$name returns $data for the response $reply', async ({ name, input, reply, data }) => {
  expect((await play(name, input, [reply])).data).toEqual(data);
});

test.each([
  { name: 'convintel_summary_get', input: ACTIVITY, error: failed(404, { message: 'Not found.' }) },
  { name: 'convintel_summary_get', input: ACTIVITY, error: failed(404, null) },
  { name: 'convintel_summary_get', input: ACTIVITY, error: failed(422, { message: 'being generated' }) },
  { name: 'convintel_summary_get', input: ACTIVITY, error: new Error('being generated') },
  { name: 'calendar_delete_event', input: EVENT, error: failed(404, { error: { errors: [] } }) },
  { name: 'calendar_delete_event', input: EVENT, error: expired('fullSyncRequired') },
  { name: 'calendar_delete_event', input: EVENT, error: failed(410, '') },
  { name: 'video_reporting_jobs_delete', input: { job_id: 'j' }, error: failed(403, null) },
])('$name returns the error $error unchanged', async ({ name, input, error }) => {
  expect((await play(name, input, [error])).data).toBe(error);
});

test.each([
  { name: 'network_post_get', input: { url: 'u' }, reply: { element: null }, code: 'upstream_failed' },
  { name: 'network_geo_search', input: { search: 'u' }, reply: {}, code: 'upstream_failed' },
  { name: 'convintel_test_tool_xyz', input: {}, reply: {}, code: 'upstream_failed' },
  {
    name: 'video_playlist_update',
    input: { playlist_id: 'PL1', title: 'a' },
    reply: { items: [] },
    code: 'not_found',
  },
])(
  '$name fails with $code for the response $reply and sends no more',
  async ({ name, input, reply, code }) => {
    const { sent, data } = await play(name, input, [reply]);
    const status = code === 'not_found' ? {} : { status: 200 };
    expect(data).toMatchObject({ code });
    expect(data).toHaveProperty('details', { ...status, body: reply });
    expect(sent).toHaveLength(1);
  },
);

const written = async (input: object, stored: object) =>
  (await play('video_playlist_update', { playlist_id: 'PL1', ...input }, [{ items: [stored] }, {}])).sent[1];

test('a request chain merges stored and given values and omits missing ones', async () => {
  const snippet = { title: 'Engines', description: 'From gears', tags: ['history'], channelId: 'UC' };
  const request = await written({ description: '' }, { snippet, status: { privacyStatus: null } });
  expect(request).toEqual({
    method: 'PUT',
    path: '/youtube/v3/playlists',
    query: { part: 'snippet,status' },
    body: {
      id: 'PL1',
      snippet: { title: 'Engines', description: '', tags: ['history'] },
      status: {},
    },
  });
});

test('a failure in a request chain reports how many requests are done', async () => {
  const request = { method: 'POST', path: '/a' } as const;
  const version = { requests: [request, request, request] } as never;
  const replies = [{}, failed(503, null)];
  const run = runRequests({ version, input: {}, schema: {} }, async () => {
    const reply = replies.shift();
    if (reply instanceof Error) throw reply;
    return { status: 200, body: reply };
  });
  await expect(run).rejects.toMatchObject({
    code: 'upstream_failed',
    message: expect.stringMatching(/^1 of 3 requests of this call succeeded/),
    details: { status: 503, progress: { done: 1, of: 3 } },
  });
});

test.each([
  { property_id: undefined, query: {} },
  { property_id: 'fk%5EY', query: { filter_properties: 'fk^Y' } },
  { property_id: ['50%', '%3C%3Fx'], query: { filter_properties: ['50%', '<?x'] } },
])('a percent-encoded id is decoded once: $property_id', async ({ property_id, query }) => {
  const database_id = '1f0c4b7e-52a3-4d18-9b6a-0c2d8e5f7a11';
  const input = { database_id, ...(property_id && { property_id }) };
  const { sent } = await play('workspace_database_properties_query', input, [{}]);
  expect(sent[0]?.query).toEqual(query);
});

test.each([
  { input: { query: '', page_size: 5 }, body: { page_size: 5 } },
  { input: { sort_direction: 'ascending' }, body: { sort: { direction: 'ascending' } } },
  { input: { sort_timestamp: 'last_edited_time' }, body: { sort: { direction: 'descending' } } },
])('a page search sends $body for $input', async ({ input, body }) => {
  const { sent } = await play('workspace_pages_search', input, [{}]);
  const filter = { property: 'object', value: 'page' };
  const sort = 'sort' in body && { sort: { ...body.sort, timestamp: 'last_edited_time' } };
  expect(sent[0]?.body).toEqual({ page_size: 100, filter, ...body, ...sort });
});

test('a playlist item can have position 0 and an empty note', async () => {
  const input = { playlist_id: 'PL1', video_id: 'v1', position: 0, note: '' };
  const { sent } = await play('video_playlist_items_insert', input, [{}]);
  expect(sent[0]).toMatchObject({
    query: { part: 'snippet,contentDetails' },
    body: { snippet: { position: 0 }, contentDetails: { note: '' } },
  });
});

test.each([
  { input: { find_email: false, skip_smtp: true }, query: {} },
  { input: { find_email: true, skip_smtp: true }, query: { findEmail: true, skipSmtp: true } },
  { input: { main: false, find_email: true }, query: { findEmail: true } },
])('only true flags are sent: $input', async ({ input, query }) => {
  const { sent } = await play('network_profile_scrape', { profile_id: 'A', ...input }, [{ element: {} }]);
  expect(sent[0]?.query).toEqual({ profileId: 'A', ...query });
});

test.each([
  { input: { enddate: '2026-10-31' }, query: { dateOption: 'custom-date-range', enddate: '2026-10-31' } },
  { input: { date_option: 'last-year' }, query: { dateOption: 'last-year' } },
])('an ad search sends $query for $input', async ({ input, query }) => {
  expect((await play('network_ads_search', input, [{ elements: [] }])).sent[0]?.query).toEqual(query);
});

test.each([
  {
    name: 'network_ads_search',
    input: { date_option: 'last-year', enddate: '2026-10-31' },
    field: 'date_option',
  },
  { name: 'network_profile_comments_list', input: { page: 1 }, field: '' },
])('$name refuses the input $input', async ({ name, input, field }) => {
  await expect(play(name, input, [])).rejects.toMatchObject({ errors: [{ field }] });
});

test.each(['..', 'a/../b'])('the job id "%s" is refused before anything is sent', async (job_id) => {
  const { sent, data } = await play('video_reporting_jobs_delete', { job_id }, []);
  expect(data).toMatchObject({ code: 'invalid_input', details: { errors: [{ field: 'job_id' }] } });
  expect(sent).toEqual([]);
});
