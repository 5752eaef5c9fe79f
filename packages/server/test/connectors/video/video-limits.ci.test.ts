import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startVideo, type VideoService } from '../../support/upstreams/start-video.js';

let video: VideoService;

beforeAll(async () => {
  video = await startVideo();
});

afterAll(() => video.stop());

beforeEach(() => video.clear());

const part = { part: 'snippet' };
const query = { ids: 'channel==MINE', metrics: 'views', start_date: '2026-11-01', end_date: '2026-11-02' };

describe.each([
  { row: 'Analytics query: max_results max 200', tool: 'analytics_query', base: query, min: 1, max: 200 },
  {
    row: 'Channels: max_results 0-50, default 5',
    tool: 'channels_list',
    base: { ...part, mine: true },
    min: 0,
    max: 50,
    fallback: 5,
  },
  {
    row: 'Playlists: max_results 0-50, default 5',
    tool: 'playlists_list',
    base: { ...part, mine: true },
    min: 0,
    max: 50,
    fallback: 5,
  },
  {
    row: 'Playlist items: max_results 0-50, default 5',
    tool: 'playlist_items_list',
    base: { ...part, playlist_id: 'p' },
    min: 0,
    max: 50,
    fallback: 5,
  },
  {
    row: 'Subscriptions: max_results 0-50, default 5',
    tool: 'subscriptions_list',
    base: { ...part, mine: true },
    min: 0,
    max: 50,
    fallback: 5,
  },
  {
    row: 'Search: max_results 0-50, default 10',
    tool: 'search',
    base: { q: 'engine' },
    min: 0,
    max: 50,
    fallback: 10,
  },
  {
    row: 'Video chart: max_results 1-50, default 5',
    tool: 'videos_list',
    base: { ...part, chart: 'mostPopular' },
    min: 1,
    max: 50,
    fallback: 5,
  },
  {
    row: 'Comment threads: max_results 1-100, default 20',
    tool: 'comment_threads_list',
    base: { ...part, video_id: 'v' },
    min: 1,
    max: 100,
    fallback: 20,
  },
  {
    row: 'Replies: max_results 1-100, default 20',
    tool: 'comments_list',
    base: { parent_id: 'c' },
    min: 1,
    max: 100,
    fallback: 20,
  },
])('$row', ({ tool, base, min, max, fallback }) => {
  test('refuses a value below the minimum and above the maximum', async () => {
    await video.expectRefused(tool, { ...base, max_results: min - 1 }, 'minimum');
    await video.expectRefused(tool, { ...base, max_results: max + 1 }, 'maximum');
  });

  test.each([min, max])('sends the limit %i', async (limit) => {
    expect(await video.sentQuery(tool, { ...base, max_results: limit })).toHaveProperty(
      'maxResults',
      `${limit}`,
    );
  });

  test('sends the default', async () => {
    expect((await video.sentQuery(tool, base))['maxResults']).toBe(fallback?.toString());
  });
});

describe('the other limits of the video tools', () => {
  test.each([
    {
      title: 'more than 50 ids',
      tool: 'videos_get_rating',
      input: { id: Array(51).fill('v').join() },
      rule: 'pattern',
    },
    {
      title: 'a note of more than 280 characters',
      tool: 'playlist_items_insert',
      input: { playlist_id: 'p', video_id: 'v', note: 'n'.repeat(281) },
      rule: 'maxLength',
    },
    {
      title: 'a title of more than 100 characters',
      tool: 'videos_update',
      input: { video_id: 'v', category_id: '1', title: 't'.repeat(101) },
      rule: 'maxLength',
    },
    {
      title: 'a description of more than 5000 bytes',
      tool: 'videos_update',
      input: { video_id: 'v', category_id: '1', title: 't', description: 'ü'.repeat(2501) },
      rule: 'maxBytes',
    },
    {
      title: 'tags of more than 500 characters',
      tool: 'videos_update',
      input: { video_id: 'v', category_id: '1', title: 't', tags: ['t'.repeat(501)] },
      rule: 'maxTotalLength',
    },
    {
      title: 'a report type of more than 100 characters',
      tool: 'reporting_create_job',
      input: { name: 'n', report_type_id: 't'.repeat(101) },
      rule: 'maxLength',
    },
  ])('refuse $title', async ({ tool, input, rule }) => {
    await video.expectRefused(tool, input, rule);
  });
});
