import type { Handlers } from '../../../generated/handlers.js';
import { invalidInput } from '../../invalid-input.js';
import { downloadCaptions } from './download-captions.js';
import { insertCommentThread } from './insert-comment-thread.js';
import { insertVideo } from './insert-video.js';
import { setThumbnail } from './set-thumbnail.js';
import { updateVideo } from './update-video.js';

export const video: Pick<Handlers, Extract<keyof Handlers, `video_${string}`>> = {
  // Refuses the channels of a content owner, and names the proxy, which can read them.
  video_channels_list: async (input, send) => {
    refuseManaged(input.managed_by_me);
    const { part, id, mine, for_handle, for_username, max_results, page_token } = input;
    return send({
      method: 'GET',
      path: '/youtube/v3/channels',
      query: {
        part,
        id,
        mine,
        forHandle: for_handle,
        forUsername: for_username,
        maxResults: max_results,
        pageToken: page_token,
      },
    });
  },

  // Reads a response that is not JSON, and makes plain text of it.
  video_captions_download: downloadCaptions,

  // Reads the channel and comments again, only where the upstream requires it.
  video_comment_threads_insert: insertCommentThread,

  // Checks the bytes of the picture, and sends them alone as the body.
  video_thumbnails_set: setThumbnail,

  // Checks the bytes of the file, and sends them beside its metadata.
  video_videos_insert: insertVideo,

  // Reads and writes parts that depend on the input, and keeps the time of publication of private videos.
  video_videos_update: updateVideo,
};

// The upstream accepts managedByMe only with a content owner, which the tool has no input for.
function refuseManaged(isManaged: boolean | undefined): void {
  if (isManaged !== true) return;
  const remedy =
    'send GET /youtube/v3/channels with managedByMe=true and onBehalfOfContentOwner through the proxy, or give mine';
  throw invalidInput(
    'managed_by_me',
    'unsupported',
    `needs a content owner, which this tool cannot name: ${remedy}`,
  );
}
