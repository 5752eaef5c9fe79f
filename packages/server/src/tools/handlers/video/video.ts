import type { Handlers } from '../../../generated/handlers.js';
import type { Send, UpstreamRequest } from '../../handler.js';
import { invalidInput } from '../../invalid-input.js';
import { segment } from '../../segment.js';
import { insertCommentThread } from './insert-comment-thread.js';
import { updatePlaylist } from './update-playlist.js';
import { updateVideo } from './update-video.js';

export const video: Pick<Handlers, Extract<keyof Handlers, `video_${string}`>> = {
  video_analytics_group_items_delete: ({ id, on_behalf_of_content_owner: owner }, send) =>
    remove(send, {
      host: 'analytics',
      path: '/v2/groupItems',
      query: { id, onBehalfOfContentOwner: owner },
    }),

  video_analytics_groups_delete: ({ group_id: id, on_behalf_of_content_owner: owner }, send) =>
    remove(send, { host: 'analytics', path: '/v2/groups', query: { id, onBehalfOfContentOwner: owner } }),

  video_analytics_groups_list: ({ id, mine, page_token, on_behalf_of_content_owner: owner }, send) =>
    send({
      method: 'GET',
      host: 'analytics',
      path: '/v2/groups',
      // A filter that is false counts as absent.
      query: { id, mine: mine || undefined, pageToken: page_token, onBehalfOfContentOwner: owner },
    }),

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

  video_comment_threads_insert: insertCommentThread,

  video_playlist_insert: ({ title, description, default_language, tags, privacy_status }, send) =>
    send({
      method: 'POST',
      path: '/youtube/v3/playlists',
      query: { part: privacy_status === undefined ? 'snippet' : 'snippet,status' },
      body: {
        snippet: { title, description, defaultLanguage: default_language, tags },
        ...(privacy_status !== undefined && { status: { privacyStatus: privacy_status } }),
      },
    }),

  video_playlist_items_insert: ({ playlist_id, video_id, position, note }, send) =>
    send({
      method: 'POST',
      path: '/youtube/v3/playlistItems',
      query: { part: note === undefined ? 'snippet' : 'snippet,contentDetails' },
      body: {
        snippet: {
          playlistId: playlist_id,
          resourceId: { kind: 'youtube#video', videoId: video_id },
          position,
        },
        ...(note !== undefined && { contentDetails: { note } }),
      },
    }),

  video_playlist_update: updatePlaylist,

  video_reporting_jobs_delete: async ({ job_id, on_behalf_of_content_owner: owner }, send) =>
    remove(send, {
      host: 'reporting',
      path: `/v1/jobs/${segment(job_id, 'job_id')}`,
      query: { onBehalfOfContentOwner: owner },
    }),

  video_videos_rate: async ({ video_id: id, rating }, send) =>
    send({
      method: 'POST',
      path: '/youtube/v3/videos/rate',
      query: { id, rating: rating === 'remove' ? 'none' : rating },
    }),

  video_videos_update: updateVideo,
};

// The answer to a deletion is empty, or an empty object; callers get null for both.
async function remove(send: Send, request: Omit<UpstreamRequest, 'method'>): Promise<null> {
  await send({ method: 'DELETE', ...request });
  return null;
}

// The upstream takes managedByMe only together with a content owner, which the tool's inputs cannot name.
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
