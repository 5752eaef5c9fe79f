import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startVideo, type VideoService } from '../../support/upstreams/start-video.js';

let video: VideoService;

beforeAll(async () => {
  video = await startVideo();
});

afterAll(() => video.stop());

beforeEach(() => video.clear());

const part = { part: 'snippet' };
const group = { group_id: 'g1' };
const member = { ...group, resource_id: 'v1', resource_kind: 'youtube#video' };
const query = { ids: 'channel==MINE', metrics: 'views', start_date: '2026-11-01', end_date: '2026-11-02' };
const item = { playlist_id: 'p1', video_id: 'v1' };
// A PNG file of one pixel.
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const job = { report_type_id: 'channel_basic_a3', name: 'Daily' };

// Valid input of every tool, a change that makes it invalid, and the field and rule of the expected error.
const CALLS = [
  {
    tool: 'analytics_group_create',
    good: { title: 'G', item_type: 'youtube#video' },
    bad: { item_type: 'video' },
    field: 'item_type',
    rule: 'enum',
  },
  {
    tool: 'analytics_group_item_insert',
    good: member,
    bad: { resource_kind: 'youtube#comment' },
    field: 'resource_kind',
    rule: 'enum',
  },
  { tool: 'analytics_group_items_delete', good: { id: 'i1' }, bad: { id: 7 }, field: 'id', rule: 'type' },
  {
    tool: 'analytics_group_items_list',
    good: group,
    bad: { page_token: 'x' },
    field: 'page_token',
    rule: 'additionalProperties',
  },
  {
    tool: 'analytics_groups_delete',
    good: group,
    bad: { id: 'g1' },
    field: 'id',
    rule: 'additionalProperties',
  },
  { tool: 'analytics_groups_list', good: { mine: true }, bad: { mine: false }, field: 'mine', rule: 'const' },
  {
    tool: 'analytics_groups_update',
    good: { ...group, title: 'G' },
    bad: { title: '' },
    field: 'title',
    rule: 'minLength',
  },
  {
    tool: 'analytics_query',
    good: query,
    bad: { start_date: '01.11.2026' },
    field: 'start_date',
    rule: 'format',
  },
  { tool: 'captions_list', good: { video_id: 'v1' }, bad: { id: '' }, field: 'id', rule: 'pattern' },
  {
    tool: 'channels_list',
    good: { ...part, mine: true },
    bad: { id: 'c1' },
    field: '',
    rule: 'exactlyOneOf',
  },
  {
    tool: 'comment_threads_insert',
    good: { video_id: 'v1', text: 'Hello' },
    bad: { text: '' },
    field: 'text',
    rule: 'minLength',
  },
  {
    tool: 'comment_threads_list',
    good: { ...part, id: 't1' },
    bad: { order: 'relevance' },
    field: '',
    rule: 'atMostOneOf',
  },
  {
    tool: 'comments_list',
    good: { id: 'c1' },
    bad: { max_results: 5 },
    field: 'parent_id',
    rule: 'requiredWith',
  },
  {
    tool: 'playlist_delete',
    good: { playlist_id: 'p1' },
    bad: { playlist_id: '' },
    field: 'playlist_id',
    rule: 'minLength',
  },
  {
    tool: 'playlist_insert',
    good: { title: 'P' },
    bad: { privacy_status: 'secret' },
    field: 'privacy_status',
    rule: 'enum',
  },
  {
    tool: 'playlist_items_delete',
    good: { playlist_item_id: 'i1' },
    bad: { video_id: 'v1' },
    field: 'video_id',
    rule: 'additionalProperties',
  },
  { tool: 'playlist_items_insert', good: item, bad: { position: -1 }, field: 'position', rule: 'minimum' },
  {
    tool: 'playlist_items_list',
    good: { ...part, playlist_id: 'p1' },
    bad: { max_results: 51 },
    field: 'max_results',
    rule: 'maximum',
  },
  {
    tool: 'playlist_update',
    good: { playlist_id: 'p1', title: 'P' },
    bad: { tags: [] },
    field: 'tags',
    rule: 'additionalProperties',
  },
  {
    tool: 'playlists_list',
    good: { ...part, mine: true },
    bad: { mine: false },
    field: '',
    rule: 'exactlyOneOf',
  },
  {
    tool: 'search',
    good: { q: 'engine' },
    bad: { published_after: '2026-11-01' },
    field: 'published_after',
    rule: 'format',
  },
  {
    tool: 'subscriptions_delete',
    good: { subscription_id: 's1' },
    bad: { subscription_id: null },
    field: 'subscription_id',
    rule: 'type',
  },
  {
    tool: 'subscriptions_insert',
    good: { channel_id: 'c1' },
    bad: { channel_id: ['c1'] },
    field: 'channel_id',
    rule: 'type',
  },
  {
    tool: 'subscriptions_list',
    good: { ...part, mine: true },
    bad: { order: 'date' },
    field: 'order',
    rule: 'enum',
  },
  {
    tool: 'video_categories_list',
    good: { region_code: 'DE' },
    bad: { region_code: 'DEU' },
    field: 'region_code',
    rule: 'pattern',
  },
  {
    tool: 'videos_delete',
    good: { video_id: 'v1' },
    bad: { id: 'v1' },
    field: 'id',
    rule: 'additionalProperties',
  },
  {
    tool: 'videos_get_rating',
    good: { id: 'v1' },
    bad: { part: 'id' },
    field: 'part',
    rule: 'additionalProperties',
  },
  {
    tool: 'videos_list',
    good: { ...part, id: 'v1' },
    bad: { region_code: 'DE' },
    field: 'chart',
    rule: 'requiredWith',
  },
  {
    tool: 'videos_rate',
    good: { video_id: 'v1', rating: 'like' },
    bad: { rating: 'none' },
    field: 'rating',
    rule: 'enum',
  },
  {
    tool: 'videos_update',
    good: { video_id: 'v1', embeddable: true },
    bad: { title: 'V' },
    field: 'category_id',
    rule: 'requiredWith',
  },
  {
    tool: 'reporting_create_job',
    good: job,
    bad: { name: 'N'.repeat(101) },
    field: 'name',
    rule: 'maxLength',
  },
  {
    tool: 'reporting_jobs_delete',
    good: { job_id: 'j1' },
    bad: { job_id: 'j'.repeat(41) },
    field: 'job_id',
    rule: 'maxLength',
  },
  { tool: 'reporting_list_jobs', good: {}, bad: { page_size: 1.5 }, field: 'page_size', rule: 'type' },
  {
    tool: 'reporting_list_report_types',
    good: {},
    bad: { include_system_managed: 'yes' },
    field: 'include_system_managed',
    rule: 'type',
  },
  {
    tool: 'reporting_list_reports',
    good: { job_id: 'j1' },
    bad: { created_after: 'today' },
    field: 'created_after',
    rule: 'format',
  },
  {
    tool: 'captions_download',
    good: { caption_id: 'c1' },
    bad: { translate_to: 'german' },
    field: 'translate_to',
    rule: 'pattern',
  },
  {
    tool: 'comments_insert',
    good: { parent_id: 't1', text: 'Thank you!' },
    bad: { text: '' },
    field: 'text',
    rule: 'minLength',
  },
  {
    tool: 'thumbnails_set',
    good: { video_id: 'v1', image: PNG },
    bad: { image: '' },
    field: 'image',
    rule: 'minLength',
  },
  {
    tool: 'videos_batch_get_stats',
    good: { id: 'v1,v2' },
    bad: { id: 'v1,,v2' },
    field: 'id',
    rule: 'pattern',
  },
  {
    tool: 'videos_insert',
    good: { title: 'Gears', content: 'AAAAGGZ0eXBtcDQy' },
    bad: { title: '<Gears>' },
    field: 'title',
    rule: 'pattern',
  },
];

test.each(CALLS)(
  '$tool refuses an input that breaks $rule and sends nothing',
  async ({ tool, good, bad, ...broken }) => {
    const reply = await video.execute(tool, { ...good, ...bad });

    expect(reply.status).toBe(400);
    expect(reply.json()).toMatchObject({ error: { code: 'invalid_input', details: { errors: [broken] } } });
    expect(await video.service.sandbox.requests()).toEqual([]);
  },
);

test.each(CALLS)('$tool returns an error of the upstream after one request', async ({ tool, good }) => {
  await video.service.sandbox.dials('video', { failNext: { count: 1, status: 404 } });

  const reply = await video.execute(tool, good);

  expect(reply.status).toBe(424);
  expect(reply.json()).toMatchObject({
    error: {
      code: 'upstream_failed',
      details: {
        status: 404,
        body: { error: { code: 404, message: 'Not Found' } },
        advice: expect.stringContaining('with the tool that lists these objects'),
      },
    },
  });
  expect(await video.service.sandbox.requests()).toHaveLength(1);
});

test('the table contains every tool', () => {
  expect(CALLS.map(({ tool }) => `video_${tool}`).sort()).toEqual(video.record.names);
});
