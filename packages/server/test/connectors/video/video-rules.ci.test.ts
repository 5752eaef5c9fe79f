import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startVideo, type VideoService } from '../../support/upstreams/start-video.js';

let video: VideoService;

beforeAll(async () => {
  video = await startVideo();
});

afterAll(() => video.stop());

beforeEach(() => video.clear());

const part = { part: 'snippet' };

describe('Filter rule violated (none or more than one of the exactly-one filters)', () => {
  const FILTERS = {
    channels_list: { id: 'c', mine: true, for_handle: 'h', for_username: 'u', managed_by_me: true },
    comment_threads_list: { video_id: 'v', all_threads_related_to_channel_id: 'c', id: 't' },
    comments_list: { parent_id: 'p', id: 'c' },
    playlists_list: { channel_id: 'c', id: 'p', mine: true },
    subscriptions_list: {
      channel_id: 'c',
      id: 's',
      mine: true,
      my_recent_subscribers: true,
      my_subscribers: true,
    },
    video_categories_list: { id: '1', region_code: 'DE' },
    videos_list: { id: 'v', chart: 'mostPopular', my_rating: 'like' },
  };
  const WITHOUT_PART = ['comments_list', 'video_categories_list'];
  const rows = Object.entries(FILTERS).map(([tool, filters]) => ({
    tool,
    base: WITHOUT_PART.includes(tool) ? {} : part,
    entries: Object.entries(filters),
  }));
  const pairs = rows.flatMap(({ tool, base, entries }) =>
    entries.flatMap(([first, value], index) =>
      entries.slice(index + 1).map(([second, other]) => ({
        title: `${tool} with ${first} and ${second}`,
        tool,
        input: { ...base, [first]: value, [second]: other },
      })),
    ),
  );

  test.each(rows)('$tool without a filter is refused', async ({ tool, base }) => {
    await video.expectRefused(tool, base, 'exactlyOneOf');
  });

  test.each(pairs)('$title is refused', async ({ tool, input }) => {
    await video.expectRefused(tool, input, 'exactlyOneOf');
  });

  test('analytics groups without id and mine are refused', async () => {
    await video.expectRefused('analytics_groups_list', {}, 'required');
    await video.expectRefused('analytics_groups_list', { mine: false }, 'const');
  });

  test.each([
    { tool: 'channels_list', input: { ...part, for_handle: 'ada', mine: false, managed_by_me: false } },
    { tool: 'playlists_list', input: { ...part, id: 'p', mine: false } },
    { tool: 'subscriptions_list', input: { ...part, id: 's', mine: false, my_subscribers: false } },
    { tool: 'analytics_groups_list', input: { id: 'g', mine: false } },
  ])('a false filter of $tool counts as absent and is not sent', async ({ tool, input }) => {
    const sent = await video.sentQuery(tool, input);

    expect(Object.values(sent)).not.toContain('false');
    expect(sent).not.toHaveProperty('mine');
  });

  test('managed channels are refused with an alternative', async () => {
    await video.expectRefused('channels_list', { ...part, managed_by_me: true }, 'unsupported');
  });
});

describe('Video update of the snippet without both title and category_id', () => {
  test.each([
    { title: 'T' },
    { category_id: '27' },
    { description: 'D' },
    { tags: ['t'] },
    { default_language: 'en' },
    { title: 'T', tags: ['t'] },
    { category_id: '27', description: 'D' },
  ])('is refused: %j', async (change) => {
    await video.expectRefused('videos_update', { video_id: 'adaEngine01', ...change }, 'requiredWith');
  });

  test('is refused without any change, and so is an update of a playlist', async () => {
    await video.expectRefused('videos_update', { video_id: 'adaEngine01' }, 'minProperties');
    await video.expectRefused('playlist_update', { playlist_id: 'p' }, 'minProperties');
  });
});

describe('an input that requires another input', () => {
  test.each([
    {
      title: 'page token with ids',
      tool: 'videos_list',
      input: { ...part, id: 'v', page_token: 'x' },
      rule: 'atMostOneOf',
    },
    {
      title: 'limit with ids',
      tool: 'videos_list',
      input: { ...part, id: 'v', max_results: 6 },
      rule: 'requiredWith',
    },
    {
      title: 'limit with a rating',
      tool: 'videos_list',
      input: { ...part, my_rating: 'like', max_results: 6 },
      rule: 'requiredWith',
    },
    {
      title: 'region with a rating',
      tool: 'videos_list',
      input: { ...part, my_rating: 'like', region_code: 'DE' },
      rule: 'requiredWith',
    },
    {
      title: 'category with ids',
      tool: 'videos_list',
      input: { ...part, id: 'v', video_category_id: '1' },
      rule: 'requiredWith',
    },
    {
      title: 'page token with ids',
      tool: 'comments_list',
      input: { id: 'c', page_token: 'x' },
      rule: 'requiredWith',
    },
    {
      title: 'limit with ids',
      tool: 'comment_threads_list',
      input: { ...part, id: 't', max_results: 5 },
      rule: 'atMostOneOf',
    },
    {
      title: 'search terms with ids',
      tool: 'comment_threads_list',
      input: { ...part, id: 't', search_terms: 'x' },
      rule: 'atMostOneOf',
    },
    {
      title: 'duration without a type',
      tool: 'search',
      input: { video_duration: 'short' },
      rule: 'requiredWith',
    },
    {
      title: 'duration of channels',
      tool: 'search',
      input: { video_duration: 'short', type: 'channel' },
      rule: 'const',
    },
    {
      title: 'duration of several types',
      tool: 'search',
      input: { video_duration: 'short', type: 'video,channel' },
      rule: 'const',
    },
  ])('is refused without it: $title of $tool', async ({ tool, input, rule }) => {
    await video.expectRefused(tool, input, rule);
  });
});

describe('an input that equals its default is accepted, and not sent where it has no effect', () => {
  test.each([
    { tool: 'comments_list', input: { id: 'c', max_results: 20 }, left: ['id', 'part'] },
    {
      tool: 'comment_threads_list',
      input: { ...part, id: 't', max_results: 20, order: 'time' },
      left: ['id', 'part'],
    },
    {
      tool: 'videos_list',
      input: { ...part, my_rating: 'like', max_results: 5 },
      left: ['myRating', 'part'],
    },
    { tool: 'search', input: { video_duration: 'any' }, left: ['maxResults', 'part'] },
    {
      tool: 'search',
      input: { video_duration: 'any', type: 'channel' },
      left: ['maxResults', 'part', 'type'],
    },
  ])('$tool $input', async ({ tool, input, left }) => {
    expect(Object.keys(await video.sentQuery(tool, input)).toSorted()).toEqual(left);
  });
});
