import type { VideoVideosInsertInputV1_1_0 } from '../../../generated/handlers.js';
import type { HandlerContext, Link, Send } from '../../handler.js';
import { decodeFile } from './decode-file.js';
import { refuseTooLong } from './refuse-too-long.js';
import { uploadInChunks } from './upload-in-chunks.js';

type Input = VideoVideosInsertInputV1_1_0;

const MAX_BYTES = 8 * 1024 * 1024;
/** Maximum milliseconds for the download of the video from its link. Clients wait longer for the tool. */
const LINK_TIMEOUT_MS = 300_000;
const PATH = '/upload/youtube/v3/videos';

/**
 * Uploads a video with its metadata: bytes of the input in one request, a linked file in chunks. The privacy status is
 * always sent, because the upstream's default is public.
 */
export async function insertVideo(
  input: Input,
  send: Send,
  context: Pick<HandlerContext, 'exchange' | 'readLink' | 'sleep'>,
): Promise<unknown> {
  refuseTooLong(input);
  const { content_url: url } = input;
  return url === undefined ? insertBytes(input, send) : insertLinked(input, url, context);
}

async function insertBytes(input: Input, send: Send): Promise<unknown> {
  const { content = '' } = input;
  decodeFile('content', content, MAX_BYTES);
  return send({
    method: 'POST',
    path: PATH,
    query: queryOf(input, 'multipart'),
    body: [metadataOf(input), { $file: content, type: 'application/octet-stream' }],
    encoding: 'related',
  });
}

async function insertLinked(
  input: Input,
  url: string,
  context: Pick<HandlerContext, 'exchange' | 'readLink' | 'sleep'>,
): Promise<unknown> {
  const link: Link = {
    field: 'content_url',
    url,
    mediaTypes: ['video/*'],
    timeoutMs: LINK_TIMEOUT_MS,
  };
  const metadata = { path: PATH, query: queryOf(input, 'resumable'), body: metadataOf(input) };
  return context.readLink(link, (file) => uploadInChunks(file, metadata, context));
}

const queryOf = (input: Input, uploadType: string) => ({
  part: 'snippet,status',
  uploadType,
  notifySubscribers: input.notify_subscribers,
});

const metadataOf = (input: Input) => ({
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
