import { isJsonObject } from '@svc/catalog';
import { ServiceError } from '../../../errors.js';
import type { VideoCommentThreadsInsertInput } from '../../../generated/handlers.js';
import type { Send } from '../../handler.js';
import { readStored } from './stored.js';

/**
 * Adds a comment to a video. If the upstream requires the channel, the handler reads the channel and sends the comment
 * again.
 */
export async function insertCommentThread(
  { video_id: videoId, text }: VideoCommentThreadsInsertInput,
  send: Send,
): Promise<unknown> {
  const post = (channel: { readonly channelId?: string } = {}) =>
    send({
      method: 'POST',
      path: '/youtube/v3/commentThreads',
      query: { part: 'snippet' },
      body: { snippet: { ...channel, videoId, topLevelComment: { snippet: { textOriginal: text } } } },
    });
  try {
    return await post();
  } catch (error) {
    if (!wantsChannel(error)) throw error;
    return post({ channelId: await channelOf(videoId, send) });
  }
}

async function channelOf(id: string, send: Send): Promise<string> {
  const { snippet } = await readStored(send, {
    noun: 'video',
    path: '/youtube/v3/videos',
    part: 'snippet',
    id,
  });
  const channelId = isJsonObject(snippet) ? snippet['channelId'] : undefined;
  if (typeof channelId === 'string') return channelId;
  throw new ServiceError(
    'not_found',
    `The upstream returned no channel for the video "${id}", so it cannot be commented on. Use another video.`,
  );
}

function wantsChannel(error: unknown): boolean {
  const body = error instanceof ServiceError ? error.details?.['body'] : undefined;
  const errors = isJsonObject(body) && isJsonObject(body['error']) ? body['error']['errors'] : undefined;
  return (
    Array.isArray(errors) &&
    errors.some((entry) => isJsonObject(entry) && entry['reason'] === 'channelOrVideoIdMissing')
  );
}
