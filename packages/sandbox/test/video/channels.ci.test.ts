import { describe, expect, test } from 'vitest';
import { ADA, approved, CHARLES, GRACE, ids, items, read, reason, useVideo } from './setup.js';

useVideo();

describe('channels', () => {
  test.each([
    { query: { mine: 'true' }, expected: [ADA] },
    { query: { id: `${GRACE},${ADA},UCnobody` }, expected: [GRACE, ADA] },
    { query: { forHandle: '@gracehopper' }, expected: [GRACE] },
    { query: { forHandle: 'CharlesBabbage' }, expected: [CHARLES] },
    { query: { forUsername: 'countess' }, expected: [ADA] },
    { query: { mine: 'false', id: ADA }, expected: [ADA] },
  ])('are found by $query', async ({ query, expected }) => {
    expect(ids(await read('channels', { part: 'id', ...query }))).toEqual(expected);
  });

  test('contain the requested parts with counts as strings', async () => {
    const [channel] = items(
      await read('channels', { part: 'snippet,statistics,contentDetails', mine: 'true' }),
    );
    expect(channel).toEqual({
      kind: 'youtube#channel',
      etag: expect.any(String),
      id: ADA,
      snippet: expect.objectContaining({ title: 'Ada Lovelace', customUrl: '@adalovelace', country: 'GB' }),
      contentDetails: { relatedPlaylists: { uploads: `UU${ADA.slice(2)}`, likes: `LL${ADA.slice(2)}` } },
      statistics: {
        viewCount: '5700',
        subscriberCount: '1842',
        hiddenSubscriberCount: false,
        videoCount: '2',
      },
    });
  });

  test('return no items field if nothing is found', async () => {
    const { status, body } = await read('channels', { part: 'id', forHandle: '@nobody' });
    expect([status, body]).toEqual([
      200,
      {
        kind: 'youtube#channelListResponse',
        etag: expect.any(String),
        pageInfo: { totalResults: 0, resultsPerPage: 5 },
      },
    ]);
  });

  test.each([
    { title: 'a missing part', query: { mine: 'true' }, error: [400, 'missingRequiredParameter'] },
    { title: 'an unknown part', query: { part: 'id,nothing', mine: 'true' }, error: [400, 'unknownPart'] },
    { title: 'a missing filter', query: { part: 'id' }, error: [400, 'missingRequiredParameter'] },
    {
      title: 'only a false filter',
      query: { part: 'id', mine: 'false' },
      error: [400, 'missingRequiredParameter'],
    },
    {
      title: 'two filters',
      query: { part: 'id', mine: 'true', id: ADA },
      error: [400, 'incompatibleParameters'],
    },
    {
      title: 'an unknown parameter',
      query: { part: 'id', mine: 'true', max_results: '1' },
      error: [400, 'unexpectedParameter'],
    },
    {
      title: 'too many results',
      query: { part: 'id', mine: 'true', maxResults: '51' },
      error: [400, 'invalidParameter'],
    },
    {
      title: 'a page token of another request',
      query: { part: 'id', mine: 'true', pageToken: 'x' },
      error: [400, 'invalidPageToken'],
    },
    {
      title: 'too many ids',
      query: { part: 'id', id: Array.from({ length: 51 }, (_, n) => `UC${n}`).join(',') },
      error: [400, 'invalidParameter'],
    },
    {
      title: 'an invalid language',
      query: { part: 'id', mine: 'true', hl: 'x_1' },
      error: [400, 'invalidLanguage'],
    },
    {
      title: 'managedByMe without a content owner',
      query: { part: 'id', managedByMe: 'true' },
      error: [403, 'forbidden'],
    },
    {
      title: 'the audit part without its scope',
      query: { part: 'auditDetails', mine: 'true' },
      error: [403, 'insufficientPermissions'],
    },
  ])('refuse $title', async ({ query, error }) => {
    expect(reason(await read('channels', query))).toEqual(error);
  });

  test('list managed channels for a content owner and audit details for an auditor', async () => {
    const managed = { managedByMe: 'true', onBehalfOfContentOwner: 'adaContentOwner0000001' };
    expect(items(await read('channels', { part: 'contentOwnerDetails', ...managed }))).toMatchObject([
      { id: ADA, contentOwnerDetails: { contentOwner: 'adaContentOwner0000001' } },
    ]);
    const auditor = await approved('ada', ['youtubepartner-channel-audit']);
    expect(items(await read('channels', { part: 'auditDetails', mine: 'true' }, auditor))).toMatchObject([
      { auditDetails: { copyrightStrikesGoodStanding: true } },
    ]);
  });
});

describe('video categories', () => {
  test('are listed by region or by id', async () => {
    const everywhere = items(await read('videoCategories', { part: 'snippet', regionCode: 'GB' }));
    expect(everywhere.length).toBeGreaterThan(10);
    const categories = await read('videoCategories', { part: 'snippet', id: '27,18', hl: 'de' });
    expect(categories.body).toMatchObject({
      kind: 'youtube#videoCategoryListResponse',
      items: [
        { kind: 'youtube#videoCategory', id: '27', snippet: { title: 'Education', assignable: true } },
        { id: '18', snippet: { assignable: false } },
      ],
    });
    expect(categories.body).not.toHaveProperty('pageInfo');
  });

  test.each([
    { query: { id: '27', regionCode: 'GB' }, error: [400, 'incompatibleParameters'] },
    { query: {}, error: [400, 'missingRequiredParameter'] },
    { query: { regionCode: 'gb' }, error: [400, 'invalidRegionCode'] },
    { query: { regionCode: 'GB', maxResults: '5' }, error: [400, 'unexpectedParameter'] },
    { query: { id: '999' }, error: [404, 'videoCategoryNotFound'] },
  ])('refuse $query', async ({ query, error }) => {
    expect(
      reason(await read('videoCategories', { part: 'snippet', ...query } as Record<string, string>)),
    ).toEqual(error);
  });
});
