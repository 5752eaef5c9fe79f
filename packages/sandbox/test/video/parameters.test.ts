import { describe, expect, test } from 'vitest';
import { ADA, data, reason, reporting, useVideo } from './setup.js';

useVideo();

const VIDEO = { part: 'snippet', id: 'adaEngine01' };
const CHANNEL = { part: 'snippet', mine: 'true' };
const SEARCH = { part: 'snippet', type: 'video' };

describe('parameters', () => {
  test.each([
    ['videos', { ...VIDEO, maxHeight: '720', maxWidth: '8192', locale: 'en_US' }],
    ['channels', { ...CHANNEL, categoryId: 'x', mySubscribers: 'false', maxResults: '0' }],
    ['search', { ...SEARCH, order: 'searchSortUnspecified', videoDuration: 'videoDurationUnspecified' }],
    [
      'search',
      { part: 'snippet', channelType: 'any', topicId: '/m/04rlf', eventType: 'none', type: 'video' },
    ],
    ['search', { ...SEARCH, location: '51.5,-0.12', locationRadius: '10km' }],
    ['commentThreads', { part: 'id', videoId: 'adaEngine01', order: 'orderUnspecified' }],
    ['subscriptions', { part: 'id', mine: 'true', order: 'subscriptionOrderUnspecified' }],
    ['captions', { part: 'id', videoId: 'adaEngine01', onBehalfOf: 'x' }],
  ])('of the description are taken by %s: %j', async (resource, query) => {
    expect((await data('GET', resource, query)).status).toBe(200);
  });

  test.each([
    ['videos', { ...VIDEO, maxHeight: '71' }, 'invalidParameter'],
    ['videos', { ...VIDEO, maxWidth: '8193' }, 'invalidParameter'],
    ['videos', { part: 'id', chart: 'leastPopular' }, 'videoChartNotFound'],
    ['videos', { part: 'id', myRating: 'love' }, 'invalidParameter'],
    ['channels', { ...CHANNEL, mySubscribers: 'maybe' }, 'invalidParameter'],
    ['channels', { ...CHANNEL, maxResults: '51' }, 'invalidParameter'],
    ['search', { ...SEARCH, safeSearch: 'loose' }, 'invalidParameter'],
    ['search', { ...SEARCH, forDeveloper: '1' }, 'invalidParameter'],
    ['search', { ...SEARCH, publishedAfter: '2026-11-01' }, 'invalidParameter'],
    ['commentThreads', { part: 'id', videoId: 'adaEngine01', textFormat: 'markdown' }, 'invalidParameter'],
    ['comments', { part: 'id', id: 'x', moderationStatus: 'published' }, 'unexpectedParameter'],
    ['captions', { part: 'id' }, 'missingRequiredParameter'],
  ])('of %s are refused: %j', async (resource, query, expected) => {
    expect(reason(await data('GET', resource, query as Record<string, string>))).toEqual([400, expected]);
  });

  test('given twice are refused, unless they are lists', async () => {
    const list = (query: string) => data('GET', `videos?part=id&${query}`);
    expect((await list('id=adaEngine01&id=adaEngine02')).status).toBe(200);
    expect(reason(await list('id=adaEngine01&hl=en&hl=de'))).toEqual([400, 'invalidParameter']);
  });

  test('of the reporting API are named where they are refused', async () => {
    const { status, body } = await reporting('GET', 'jobs', { pageSize: 'ten' });
    expect([status, body.error.details[0].fieldViolations[0].field]).toEqual([400, 'pageSize']);
  });
});

describe('what takes a file', () => {
  test.each([
    ['videos', { part: 'snippet' }, 'mediaBodyRequired'],
    ['captions', { part: 'snippet' }, 'contentRequired'],
    ['thumbnails/set', { videoId: 'adaEngine01' }, 'mediaBodyRequired'],
    ['channelBanners/insert', {}, 'mediaBodyRequired'],
    ['watermarks/set', { channelId: ADA }, 'mediaBodyRequired'],
  ])('is refused without one: %s', async (resource, query, expected) => {
    const answer = await data('POST', resource, query as Record<string, string>, { body: {} });
    expect(reason(answer)).toEqual([400, expected]);
  });
});

describe('what is not emulated', () => {
  test.each([
    ['PUT', 'commentThreads'],
    ['PUT', 'playlistItems'],
    ['GET', 'liveChat/messages/stream'],
    ['POST', 'tests'],
  ])('says so: %s %s', async (method, resource) => {
    const { status, body } = await data(method, resource);
    expect([status, body.error.message]).toEqual([
      501,
      `The sandbox does not emulate ${method} /video/youtube/v3/${resource}.`,
    ]);
  });
});
