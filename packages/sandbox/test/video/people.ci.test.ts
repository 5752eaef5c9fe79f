import { describe, expect, test } from 'vitest';
import {
  ADA,
  ada,
  approved,
  CHARLES,
  data,
  GRACE,
  grace,
  ids,
  items,
  read,
  reason,
  useVideo,
} from './setup.js';

useVideo();

describe('subscriptions', () => {
  const list = (query: Record<string, string>, as?: typeof grace) =>
    read('subscriptions', { part: 'snippet', ...query }, as);
  const channels = async (query: Record<string, string>) =>
    items(await list(query)).map(({ snippet }) => snippet.resourceId.channelId);
  const insert = (resourceId: object) =>
    data('POST', 'subscriptions', { part: 'snippet' }, { body: { snippet: { resourceId } } });
  const charles = { kind: 'youtube#channel', channelId: CHARLES };

  test('are listed for the own channel, for another channel and by subscribed channel', async () => {
    expect(await channels({ mine: 'true' })).toHaveLength(2);
    expect(await channels({ mine: 'true', forChannelId: `${GRACE},${CHARLES}` })).toEqual([GRACE]);
    expect(await channels({ channelId: CHARLES, order: 'alphabetical' })).toHaveLength(2);
    const [first] = items(await list({ mine: 'true', order: 'alphabetical' }));
    expect(first).toMatchObject({
      kind: 'youtube#subscription',
      snippet: {
        title: 'Grace Hopper',
        channelId: ADA,
        resourceId: { kind: 'youtube#channel', channelId: GRACE },
      },
    });
  });

  test('list the subscribers of the own channel', async () => {
    for (const filter of ['mySubscribers', 'myRecentSubscribers']) {
      const response = await list({ part: 'subscriberSnippet', [filter]: 'true' });
      expect(
        items(response)
          .map(({ subscriberSnippet }) => subscriberSnippet.channelId)
          .sort(),
      ).toEqual([CHARLES, GRACE].sort());
    }
  });

  test('are split into pages', async () => {
    const first = await list({ mine: 'true', maxResults: '1' });
    const second = await list({ mine: 'true', maxResults: '1', pageToken: first.body.nextPageToken });
    expect(new Set([...ids(first), ...ids(second)]).size).toBe(2);
  });

  test('are created once, found, and deleted by their own id', async () => {
    const made = await insert(charles);
    expect(made).toMatchObject({ status: 200, body: { snippet: { title: 'Charles Babbage' } } });
    expect(reason(await insert(charles))).toEqual([400, 'subscriptionDuplicate']);
    expect(await channels({ mine: 'true', forChannelId: CHARLES })).toEqual([CHARLES]);
    const remove = (id: string, as?: typeof grace) =>
      data('DELETE', 'subscriptions', { id }, as === undefined ? {} : { as });
    expect(reason(await remove(CHARLES))).toEqual([404, 'subscriptionNotFound']);
    expect(reason(await remove(made.body.id, grace))).toEqual([403, 'subscriptionForbidden']);
    expect((await remove(made.body.id)).status).toBe(204);
    expect(await channels({ mine: 'true', forChannelId: CHARLES })).toEqual([]);
  });

  test.each([
    { title: 'a missing kind', resourceId: { channelId: CHARLES }, error: [400, 'publisherRequired'] },
    {
      title: 'a missing channel',
      resourceId: { kind: 'youtube#channel' },
      error: [400, 'publisherRequired'],
    },
    {
      title: 'the own channel',
      resourceId: { kind: 'youtube#channel', channelId: ADA },
      error: [400, 'subscriptionForbidden'],
    },
    {
      title: 'an unknown channel',
      resourceId: { kind: 'youtube#channel', channelId: 'UCnobody' },
      error: [404, 'publisherNotFound'],
    },
  ])('refuse $title', async ({ resourceId, error }) => {
    expect(reason(await insert(resourceId))).toEqual(error);
  });

  test.each([
    { query: { channelId: GRACE }, error: [403, 'subscriptionForbidden'] },
    { query: { channelId: 'UCnobody' }, error: [404, 'subscriberNotFound'] },
    { query: { mine: 'true', mySubscribers: 'true' }, error: [400, 'incompatibleParameters'] },
    { query: { mine: 'false' }, error: [400, 'missingRequiredParameter'] },
    { query: { mine: 'true', order: 'newest' }, error: [400, 'invalidParameter'] },
  ])('refuse to list $query', async ({ query, error }) => {
    expect(reason(await list(query as Record<string, string>))).toEqual(error);
  });
});

describe('video ratings', () => {
  const rate = (id: string, rating: string) => data('POST', 'videos/rate', { id, rating });
  const ratings = async (id: string, as?: typeof grace) => items(await read('videos/getRating', { id }, as));

  test('are set, counted, changed and removed per user', async () => {
    const likes = async () =>
      items(await read('videos', { part: 'statistics', id: 'societyLec1' }))[0].statistics.likeCount;
    expect([(await rate('societyLec1', 'like')).status, await likes()]).toEqual([204, '1']);
    expect(await ratings('societyLec1,graceCobol1')).toEqual([
      { videoId: 'societyLec1', rating: 'like' },
      { videoId: 'graceCobol1', rating: 'like' },
    ]);
    expect(await ratings('societyLec1', grace)).toEqual([{ videoId: 'societyLec1', rating: 'none' }]);
    expect(ids(await read('playlistItems', { part: 'id', playlistId: `LL${ADA.slice(2)}` }))).toHaveLength(2);
    await rate('societyLec1', 'dislike');
    expect(ids(await read('videos', { part: 'id', myRating: 'dislike' }))).toEqual(['societyLec1']);
    await rate('societyLec1', 'none');
    expect([await ratings('societyLec1'), await likes()]).toEqual([
      [{ videoId: 'societyLec1', rating: 'none' }],
      '0',
    ]);
  });

  test.each([
    { query: { id: 'graceCobol1', rating: 'remove' }, error: [400, 'invalidRating'] },
    { query: { id: 'graceCobol1' }, error: [400, 'missingRequiredParameter'] },
    { query: { rating: 'like' }, error: [400, 'missingRequiredParameter'] },
    { query: { id: 'nothing', rating: 'like' }, error: [404, 'videoNotFound'] },
    { query: { id: 'graceBug_02', rating: 'like' }, error: [403, 'videoRatingDisabled'] },
  ])('refuse $query', async ({ query, error }) => {
    expect(reason(await data('POST', 'videos/rate', query as Record<string, string>))).toEqual(error);
  });

  test('are read without the parameter part', async () => {
    expect(reason(await read('videos/getRating', { id: 'graceCobol1', part: 'id' }))).toEqual([
      400,
      'unexpectedParameter',
    ]);
    expect(reason(await read('videos/getRating', {}))).toEqual([400, 'missingRequiredParameter']);
    expect((await read('videos/getRating', { id: 'graceCobol1' })).body).not.toHaveProperty('pageInfo');
  });
});

describe('captions', () => {
  const captions = (query: Record<string, string>, as?: typeof grace) =>
    read('captions', { part: 'snippet', ...query }, as);

  test('list all or selected tracks of a video without paging', async () => {
    const { body } = await captions({ videoId: 'adaEngine01' }, grace);
    expect(
      body.items.map(({ snippet }: { snippet: { language: string; trackKind: string } }) => [
        snippet.language,
        snippet.trackKind,
      ]),
    ).toEqual([
      ['en', 'ASR'],
      ['en', 'standard'],
      ['de', 'standard'],
    ]);
    expect(body).not.toHaveProperty('pageInfo');
    const { id } = body.items[2];
    expect(ids(await captions({ videoId: 'adaEngine01', id }))).toEqual([id]);
  });

  test('are deleted only by the owner of the video', async () => {
    const [track = ''] = ids(await captions({ videoId: 'adaEngine01' }));
    const remove = (as = ada) => data('DELETE', 'captions', { id: track }, { as });
    expect(reason(await remove(grace))).toEqual([403, 'forbidden']);
    expect((await remove()).status).toBe(204);
    expect(ids(await captions({ videoId: 'adaEngine01' }))).not.toContain(track);
    expect(reason(await remove())).toEqual([404, 'captionNotFound']);
  });

  test.each([
    { query: {}, error: [400, 'missingRequiredParameter'] },
    { query: { videoId: 'nothing' }, error: [404, 'videoNotFound'] },
    { query: { videoId: 'adaEngine01', id: 'nothing' }, error: [404, 'captionNotFound'] },
    { query: { videoId: 'graceHide03' }, error: [403, 'forbidden'] },
    { query: { videoId: 'adaEngine01', maxResults: '5' }, error: [400, 'unexpectedParameter'] },
  ])('refuse $query', async ({ query, error }) => {
    expect(reason(await captions(query as Record<string, string>))).toEqual(error);
  });

  test('are refused for a token with only the account scope', async () => {
    const narrow = await approved('ada', ['youtube']);
    expect(reason(await captions({ videoId: 'adaEngine01' }, narrow))).toEqual([
      403,
      'insufficientPermissions',
    ]);
  });
});
