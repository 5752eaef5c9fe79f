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

const sendOf = (...answers: readonly unknown[]) => {
  const send = vi.fn();
  for (const answer of answers) {
    if (answer instanceof Error) send.mockRejectedValueOnce(answer);
    else send.mockResolvedValueOnce(answer);
  }
  return send;
};

test('sends the comment once where the video is enough', async () => {
  const send = sendOf(THREAD);
  expect(await insertCommentThread(INPUT, send)).toEqual(THREAD);
  expect(send.mock.calls).toEqual([[post({})]]);
});

test('looks up the channel and sends once more where the upstream wants it', async () => {
  const send = sendOf(wantsChannel, { items: [{ id: 'v1', snippet: { channelId: 'UCada' } }] }, THREAD);
  expect(await insertCommentThread(INPUT, send)).toEqual(THREAD);
  expect(send.mock.calls).toEqual([[post({})], [read], [post({ channelId: 'UCada' })]]);
});

test.each([
  { title: 'comments that are off', error: failed(403, 'commentsDisabled') },
  { title: 'an answer that got lost', error: new ServiceError('connection_failed', 'closed') },
  { title: 'an error that is not ours', error: new Error('channelOrVideoIdMissing') },
])('never sends the comment again after $title', async ({ error }) => {
  const send = sendOf(error);
  await expect(insertCommentThread(INPUT, send)).rejects.toBe(error);
  expect(send).toHaveBeenCalledOnce();
});

test('sends it no third time', async () => {
  const send = sendOf(wantsChannel, { items: [{ snippet: { channelId: 'UCada' } }] }, wantsChannel);
  await expect(insertCommentThread(INPUT, send)).rejects.toBe(wantsChannel);
  expect(send).toHaveBeenCalledTimes(3);
});

test.each([
  { title: 'does not exist', answer: { items: [] } },
  { title: 'shows no channel', answer: { items: [{ id: 'v1' }] } },
])('sends it once when the video $title', async ({ answer }) => {
  const send = sendOf(wantsChannel, answer);
  await expect(insertCommentThread(INPUT, send)).rejects.toMatchObject({ code: 'not_found' });
  expect(send.mock.calls).toEqual([[post({})], [read]]);
});
