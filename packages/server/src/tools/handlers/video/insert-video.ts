import type { VideoVideosInsertInput } from '../../../generated/handlers.js';
import type { Send } from '../../handler.js';
import { decodeFile } from './decode-file.js';
import { refuseTooLong } from './refuse-too-long.js';

const MOST_BYTES = 8 * 1024 * 1024;

/**
 * Uploads a video with its metadata in one request. The privacy status is always sent, because the upstream's default
 * is public.
 */
export async function insertVideo(input: VideoVideosInsertInput, send: Send): Promise<unknown> {
  refuseTooLong(input);
  decodeFile('content', input.content, MOST_BYTES);
  return send({
    method: 'POST',
    path: '/upload/youtube/v3/videos',
    query: {
      part: 'snippet,status',
      uploadType: 'multipart',
      notifySubscribers: input.notify_subscribers,
    },
    body: [metadataOf(input), { $file: input.content, type: 'application/octet-stream' }],
    encoding: 'related',
  });
}

const metadataOf = (input: VideoVideosInsertInput) => ({
  snippet: {
    title: input.title,
    description: input.description,
    tags: input.tags,
    categoryId: input.category_id,
    defaultLanguage: input.default_language,
  },
  status: {
    privacyStatus: input.privacy_status,
    selfDeclaredMadeForKids: input.made_for_kids,
    containsSyntheticMedia: input.contains_synthetic_media,
  },
});
