import { invalidField } from '../../../errors.js';
import type { VideoThumbnailsSetInputV1_1_0 } from '../../../generated/handlers.js';
import type { HandlerContext, Send } from '../../handler.js';
import { decodeFile } from './decode-file.js';

const MAX_BYTES = 2 * 1024 * 1024;
/** Maximum milliseconds for the download of the picture from its link. */
const LINK_TIMEOUT_MS = 60_000;
const SIGNATURES = {
  'image/jpeg': Buffer.from([0xff, 0xd8, 0xff]),
  'image/png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
};

/** Sets the thumbnail of a video. The first bytes of the picture determine its media type. */
export async function setThumbnail(
  { video_id, image = '', image_url: url }: VideoThumbnailsSetInputV1_1_0,
  send: Send,
  { readLink }: Pick<HandlerContext, 'readLink'>,
): Promise<unknown> {
  const set = async (field: string, bytes: Buffer) => {
    const type = imageTypeOf(bytes);
    if (type === undefined) throw invalidField(field, 'imageType', 'must be a JPEG or PNG picture');
    return send({
      method: 'POST',
      path: '/upload/youtube/v3/thumbnails/set',
      query: { videoId: video_id, uploadType: 'media' },
      body: { $file: bytes.toString('base64'), type },
      encoding: 'file',
    });
  };
  if (url === undefined) return set('image', decodeFile('image', image, MAX_BYTES));
  const mediaTypes = Object.keys(SIGNATURES);
  const link = { field: 'image_url', url, mostBytes: MAX_BYTES, mediaTypes, timeoutMs: LINK_TIMEOUT_MS };
  return readLink(link, async ({ chunks }) => {
    // The first chunk is the whole picture, because a chunk may be as large as the largest picture.
    for await (const { bytes } of chunks(MAX_BYTES)) return set('image_url', bytes);
    return undefined;
  });
}

function imageTypeOf(bytes: Buffer): string | undefined {
  const match = Object.entries(SIGNATURES).find(([, signature]) =>
    bytes.subarray(0, signature.length).equals(signature),
  );
  return match?.[0];
}
