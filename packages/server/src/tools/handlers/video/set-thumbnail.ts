import type { VideoThumbnailsSetInput } from '../../../generated/handlers.js';
import type { Send } from '../../handler.js';
import { invalidInput } from '../../invalid-input.js';
import { decodeFile } from './decode-file.js';

const MOST_BYTES = 2 * 1024 * 1024;
const SIGNATURES = {
  'image/jpeg': Buffer.from([0xff, 0xd8, 0xff]),
  'image/png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
};

/** Sets the thumbnail of a video. The first bytes of the picture determine its media type. */
export async function setThumbnail(
  { video_id, image }: VideoThumbnailsSetInput,
  send: Send,
): Promise<unknown> {
  const type = imageTypeOf(decodeFile('image', image, MOST_BYTES));
  if (type === undefined) throw invalidInput('image', 'imageType', 'must be a JPEG or PNG picture');
  return send({
    method: 'POST',
    path: '/upload/youtube/v3/thumbnails/set',
    query: { videoId: video_id, uploadType: 'media' },
    body: { $file: image, type },
    encoding: 'file',
  });
}

function imageTypeOf(bytes: Buffer): string | undefined {
  const match = Object.entries(SIGNATURES).find(([, signature]) =>
    bytes.subarray(0, signature.length).equals(signature),
  );
  return match?.[0];
}
