import { expect, test, vi } from 'vitest';
import { ServiceError } from '../../../errors.js';
import { insertCommentThread } from './insert-comment-thread.js';

const INPUT = { video_id: 'v1', text: 'Well explained!' };
const THREAD = { id: 'thread-1' };
const failed = (status: number, reason: string) =>
  new ServiceError('upstream_failed', reason, { status, body: { error: { errors: [{ reason }] } } });
const wantsChannel = failed(400, 'channelOrVideoIdMissing');
const topLevelComment = { snippet: { textOriginal: 'Well explained!' } };
const post = (snippet: object) => ({
  method: 'POST',
  path: '/youtube/v3/commentThreads',
  query: { part: 'snippet' },
  body: { snippet: { ...snippet, videoId: 'v1', topLevelComment } },
});
const read = { method: 'GET', path: '/youtube/v3/videos', query: { part: 'snippet', id: 'v1' } };

const sendOf = (...responses: readonly unknown[]) => {
  const send = vi.fn();
  for (const response of responses) {
    if (response instanceof Error) send.mockRejectedValueOnce(response);
    else send.mockResolvedValueOnce(response);
  }
  return send;
};

test('a comment is sent once when the video id is sufficient', async () => {
  const send = sendOf(THREAD);
  expect(await insertCommentThread(INPUT, send)).toEqual(THREAD);
  expect(send.mock.calls).toEqual([[post({})]]);
});

test('a comment is sent again with the channel when the upstream requires it', async () => {
  const send = sendOf(wantsChannel, { items: [{ id: 'v1', snippet: { channelId: 'UCada' } }] }, THREAD);
  expect(await insertCommentThread(INPUT, send)).toEqual(THREAD);
  expect(send.mock.calls).toEqual([[post({})], [read], [post({ channelId: 'UCada' })]]);
});

test.each([
  { title: 'disabled comments', error: failed(403, 'commentsDisabled') },
  { title: 'a lost response', error: new ServiceError('connection_failed', 'closed') },
  { title: 'an internal error', error: new Error('channelOrVideoIdMissing') },
])('a comment is not sent again after $title', async ({ error }) => {
  const send = sendOf(error);
  await expect(insertCommentThread(INPUT, send)).rejects.toBe(error);
  expect(send).toHaveBeenCalledOnce();
});

test('a comment is not sent a third time', async () => {
  const send = sendOf(wantsChannel, { items: [{ snippet: { channelId: 'UCada' } }] }, wantsChannel);
  await expect(insertCommentThread(INPUT, send)).rejects.toBe(wantsChannel);
  expect(send).toHaveBeenCalledTimes(3);
});

test.each([
  { title: 'does not exist', response: { items: [] } },
  { title: 'has no channel', response: { items: [{ id: 'v1' }] } },
])('a comment is sent only once when the video $title', async ({ response }) => {
  const send = sendOf(wantsChannel, response);
  await expect(insertCommentThread(INPUT, send)).rejects.toMatchObject({ code: 'not_found' });
  expect(send.mock.calls).toEqual([[post({})], [read]]);
});
