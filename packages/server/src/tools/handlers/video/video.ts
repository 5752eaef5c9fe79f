import { invalidField } from '../../../errors.js';
import type { Handlers } from '../../../generated/handlers.js';
import { downloadCaptions } from './download-captions.js';
import { insertCommentThread } from './insert-comment-thread.js';
import { insertVideo } from './insert-video.js';
import { setThumbnail } from './set-thumbnail.js';
import { updateVideo } from './update-video.js';

export const video: Pick<Handlers, Extract<keyof Handlers, `video_${string}`>> = {
  // Handler code, because a JSON tool definition cannot refuse the input `managed_by_me` and point the caller to the
  // proxy, which supports it.
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

  // Handler code, because a JSON tool definition cannot convert captions, which are not JSON, to plain text.
  video_captions_download: downloadCaptions,

  // Handler code, because a JSON tool definition cannot read the channel and send the comment again only if the
  // upstream requires the channel.
  video_comment_threads_insert: insertCommentThread,

  // Handler code, because a JSON tool definition cannot check the picture, or find its media type from its first bytes.
  video_thumbnails_set: setThumbnail,

  // Handler code, because a JSON tool definition cannot check the video file, or send its bytes together with its
  // metadata.
  video_videos_insert: insertVideo,

  // Handler code, because a JSON tool definition cannot name only the changed parts of the video resource, such as
  // `snippet`, or keep the publication time of private videos.
  video_videos_update: updateVideo,
};

// Refuses `managed_by_me`, because the upstream requires a content owner for it and the tool has no input for a content
// owner.
function refuseManaged(isManaged: boolean | undefined): void {
  if (isManaged !== true) return;
  const remedy =
    'send GET /youtube/v3/channels with managedByMe=true and onBehalfOfContentOwner through the proxy, or set mine instead';
  throw invalidField(
    'managed_by_me',
    'unsupported',
    `needs a content owner, which this tool does not support: ${remedy}`,
  );
}
