import { describe, expect, test } from 'vitest';
import type { ApiResponse } from '../authorized.js';
import { ADA, data, GRACE, grace, ids, items, read, reason, useVideo } from './setup.js';

useVideo();

const CARDS = 'UgzCards0000000000004AaABAg';
const threads = (query: Record<string, string>, as?: typeof grace) =>
  read('commentThreads', { part: 'snippet,replies', ...query }, as);
const texts = (response: ApiResponse) =>
  items(response).map(({ snippet }) => snippet.topLevelComment.snippet.textDisplay);

describe('comment threads', () => {
  test('are sorted by time or relevance and contain at most five replies', async () => {
    const response = await threads({ videoId: 'adaEngine01' });
    expect(texts(response)).toEqual([
      'Thank you all for watching.',
      'I wish it ran by &lt;steam&gt;.',
      'Cards!<br>I had a drawer of them.',
    ]);
    expect(items(response)[2]).toMatchObject({
      kind: 'youtube#commentThread',
      id: CARDS,
      snippet: {
        channelId: ADA,
        videoId: 'adaEngine01',
        canReply: true,
        totalReplyCount: 6,
        topLevelComment: {
          kind: 'youtube#comment',
          id: CARDS,
          snippet: { authorChannelId: { value: GRACE } },
        },
      },
      replies: { comments: expect.objectContaining({ length: 5 }) },
    });
    expect(items(response)[0].snippet.topLevelComment.snippet.imageUrl).toMatch(/^https:/);
    expect(ids(await threads({ videoId: 'adaEngine01', order: 'relevance' }))[0]).toContain('UgzThanks');
  });

  test('are found by channel, by id, by text and by moderation status', async () => {
    expect(ids(await threads({ allThreadsRelatedToChannelId: GRACE }))).toHaveLength(1);
    expect(ids(await threads({ id: CARDS }))).toEqual([CARDS]);
    expect(ids(await threads({ videoId: 'adaEngine01', searchTerms: 'drawer' }))).toEqual([CARDS]);
    const heldForReview = { videoId: 'adaEngine01', moderationStatus: 'heldForReview' };
    expect(ids(await threads(heldForReview))).toEqual([]);
    expect(reason(await threads(heldForReview, grace))).toEqual([403, 'forbidden']);
  });

  test('have only forward page tokens', async () => {
    const query = { videoId: 'adaEngine01', maxResults: '2' };
    const first = await threads(query);
    const second = await threads({ ...query, pageToken: first.body.nextPageToken });
    expect([ids(first).length, ids(second).length]).toEqual([2, 1]);
    expect(second.body).not.toHaveProperty('prevPageToken');
    expect(second.body).not.toHaveProperty('nextPageToken');
  });

  test.each([
    { query: {}, error: [400, 'missingRequiredParameter'] },
    { query: { id: CARDS, videoId: 'adaEngine01' }, error: [400, 'incompatibleParameters'] },
    { query: { id: CARDS, maxResults: '5' }, error: [400, 'incompatibleParameters'] },
    { query: { id: CARDS, order: 'time' }, error: [400, 'incompatibleParameters'] },
    { query: { videoId: 'adaEngine01', order: 'date' }, error: [400, 'invalidParameter'] },
    { query: { videoId: 'adaEngine01', maxResults: '101' }, error: [400, 'invalidParameter'] },
    { query: { videoId: 'adaEngine01', maxResults: '0' }, error: [400, 'invalidParameter'] },
    { query: { videoId: 'adaLoom__03' }, error: [403, 'commentsDisabled'] },
    { query: { videoId: 'nothing' }, error: [404, 'videoNotFound'] },
    { query: { videoId: 'graceHide03' }, error: [404, 'videoNotFound'] },
    { query: { allThreadsRelatedToChannelId: 'UCnobody' }, error: [404, 'channelNotFound'] },
    { query: { id: 'nothing' }, error: [404, 'commentThreadNotFound'] },
  ])('refuse $query', async ({ query, error }) => {
    expect(reason(await threads(query as Record<string, string>))).toEqual(error);
  });

  const insert = (snippet: object, part = 'snippet') =>
    data('POST', 'commentThreads', { part }, { body: { snippet } });
  const comment = (textOriginal: string) => ({ topLevelComment: { snippet: { textOriginal } } });

  test.each([
    { title: 'the video', target: { videoId: 'graceCobol1' } },
    { title: 'the video and its channel', target: { videoId: 'graceCobol1', channelId: GRACE } },
  ])('are created with $title', async ({ target }) => {
    const { status, body } = await insert({ ...target, ...comment('1 < 2') });
    expect([status, body.kind, body.snippet.totalReplyCount]).toEqual([200, 'youtube#commentThread', 0]);
    expect(body.snippet.topLevelComment.snippet).toMatchObject({
      textOriginal: '1 < 2',
      textDisplay: '1 &lt; 2',
    });
    expect(ids(await threads({ videoId: 'graceCobol1' }, grace))[0]).toBe(body.id);
    const [video] = items(await read('videos', { part: 'statistics', id: 'graceCobol1' }));
    expect(video.statistics.commentCount).toBe('2');
  });

  test.each([
    {
      title: 'a missing video and channel',
      snippet: comment('Hello'),
      error: [400, 'channelOrVideoIdMissing'],
    },
    { title: 'a missing text', snippet: { videoId: 'graceCobol1' }, error: [400, 'commentTextRequired'] },
    {
      title: 'a text that is too long',
      snippet: { videoId: 'graceCobol1', ...comment('x'.repeat(10_001)) },
      error: [400, 'commentTextTooLong'],
    },
    {
      title: 'a channel that does not own the video',
      snippet: { videoId: 'graceCobol1', channelId: ADA, ...comment('x') },
      error: [400, 'invalidCommentThreadMetadata'],
    },
    {
      title: 'an unknown channel',
      snippet: { videoId: 'graceCobol1', channelId: 'UCnobody', ...comment('x') },
      error: [404, 'channelNotFound'],
    },
    {
      title: 'an unknown video',
      snippet: { videoId: 'nothing', ...comment('x') },
      error: [404, 'videoNotFound'],
    },
    {
      title: 'a video with disabled comments',
      snippet: { videoId: 'adaLoom__03', ...comment('x') },
      error: [403, 'forbidden'],
    },
    { title: 'an unknown field', snippet: { videoId: 'graceCobol1', text: 'x' }, error: [400, 'badRequest'] },
  ])('refuse $title', async ({ snippet, error }) => {
    expect(reason(await insert(snippet))).toEqual(error);
  });
});

describe('comments of a thread', () => {
  const comments = (query: Record<string, string>, as?: typeof grace) =>
    read('comments', { part: 'snippet', ...query }, as);

  test('include all replies, split into pages', async () => {
    const all = await comments({ parentId: CARDS });
    expect(items(all).map(({ snippet }) => snippet.textDisplay)).toEqual(
      [1, 2, 3, 4, 5, 6].map((n) => `Reply ${n}`),
    );
    expect(items(all)[0].snippet.parentId).toBe(CARDS);
    const first = await comments({ parentId: CARDS, maxResults: '4' });
    const second = await comments({ parentId: CARDS, maxResults: '4', pageToken: first.body.nextPageToken });
    expect([...ids(first), ...ids(second)]).toEqual(ids(all));
  });

  test('are returned as plain text on request, with the original only for the author', async () => {
    const steam = { id: 'UgzCards0000000000004AaABAg' };
    const plain = (as?: typeof grace) => comments({ ...steam, textFormat: 'plainText' }, as);
    expect(items(await plain())[0].snippet.textDisplay).toBe('Cards!\nI had a drawer of them.');
    expect(items(await plain())[0].snippet).not.toHaveProperty('textOriginal');
    expect(items(await plain(grace))[0].snippet.textOriginal).toBe('Cards!\nI had a drawer of them.');
  });

  test.each([
    { query: { id: CARDS, parentId: CARDS }, error: [400, 'incompatibleParameters'] },
    { query: { id: CARDS, maxResults: '5' }, error: [400, 'incompatibleParameters'] },
    { query: { id: CARDS, pageToken: 'x' }, error: [400, 'incompatibleParameters'] },
    { query: { parentId: CARDS, textFormat: 'rtf' }, error: [400, 'invalidParameter'] },
    { query: { parentId: CARDS, part: 'replies' }, error: [400, 'unknownPart'] },
    { query: { parentId: 'nothing' }, error: [404, 'commentNotFound'] },
  ])('refuse $query', async ({ query, error }) => {
    expect(reason(await comments(query as Record<string, string>))).toEqual(error);
  });
});
