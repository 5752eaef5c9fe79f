import { describe, expect, test } from 'vitest';
import { ADA, data, reason, reporting, useVideo } from './setup.js';

useVideo();

const VIDEO = { part: 'snippet', id: 'adaEngine01' };
const CHANNEL = { part: 'snippet', mine: 'true' };
const SEARCH = { part: 'snippet', type: 'video' };

describe('query parameters', () => {
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
  ])('are accepted by %s: %j', async (resource, query) => {
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
  ])('are refused by %s: %j', async (resource, query, expected) => {
    expect(reason(await data('GET', resource, query as Record<string, string>))).toEqual([400, expected]);
  });

  test('are refused if repeated, except lists', async () => {
    const list = (query: string) => data('GET', `videos?part=id&${query}`);
    expect((await list('id=adaEngine01&id=adaEngine02')).status).toBe(200);
    expect(reason(await list('id=adaEngine01&hl=en&hl=de'))).toEqual([400, 'invalidParameter']);
  });

  test('are named in errors of the reporting API', async () => {
    const { status, body } = await reporting('GET', 'jobs', { pageSize: 'ten' });
    expect([status, body.error.details[0].fieldViolations[0].field]).toEqual([400, 'pageSize']);
  });
});

describe('an upload endpoint', () => {
  test.each([
    ['videos', { part: 'snippet' }, 'mediaBodyRequired'],
    ['captions', { part: 'snippet' }, 'contentRequired'],
    ['thumbnails/set', { videoId: 'adaEngine01' }, 'mediaBodyRequired'],
    ['channelBanners/insert', {}, 'mediaBodyRequired'],
    ['watermarks/set', { channelId: ADA }, 'mediaBodyRequired'],
  ])('refuses a request without a file: %s', async (resource, query, expected) => {
    const response = await data('POST', resource, query as Record<string, string>, { body: {} });
    expect(reason(response)).toEqual([400, expected]);
  });
});

describe('an endpoint that the sandbox does not emulate', () => {
  test.each([
    ['PUT', 'commentThreads'],
    ['PUT', 'playlistItems'],
    ['GET', 'liveChat/messages/stream'],
    ['POST', 'tests'],
  ])('returns 501 with its name: %s %s', async (method, resource) => {
    const { status, body } = await data(method, resource);
    expect([status, body.error.message]).toEqual([
      501,
      `The sandbox does not emulate ${method} /video/youtube/v3/${resource}.`,
    ]);
  });
});
