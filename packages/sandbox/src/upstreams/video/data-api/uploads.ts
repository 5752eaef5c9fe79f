import type { Outcome } from '../../../google/method.js';
import { within } from '../body.js';
import { newVideoId } from '../identifiers.js';
import { UPLOADING } from '../scopes.js';
import type { Video } from '../world.js';
import { type Call, serviceMethods } from './call.js';
import { mediaOf } from './media.js';
import { OWNED_CHANNEL } from './owner-parameters.js';
import { writtenLocalizations } from './playlist-parts.js';
import { partNames, presentResource } from './resource.js';
import { VIDEO_BODY, writtenSnippet, writtenStatus } from './update-video.js';
import { VIDEO_MAKERS } from './video-parts.js';

const LARGEST = 128 * 1024 ** 3;
/** What a video is called, and where it stands, when nothing is said. */
const UNNAMED = { title: 'unknown', categoryId: '22' };

export const uploadMethods = serviceMethods('Video', '/videos', {
  Insert: {
    scopes: UPLOADING,
    parameters: { autoLevels: 'flag', notifySubscribers: 'flag', stabilize: 'flag', ...OWNED_CHANNEL },
    parts: partNames(VIDEO_MAKERS),
    body: VIDEO_BODY,
    takes: { types: ['video/*', 'application/octet-stream'], most: LARGEST },
    handle: insertVideo,
  },
});

function insertVideo(call: Call): Outcome {
  const { world, me, body } = call;
  mediaOf(call);
  const snippet = writtenSnippet({ snippet: { ...UNNAMED, ...within(body, 'snippet') } });
  const status = writtenStatus(body, { wasPublished: false });
  const video: Video = {
    id: newVideoId(),
    channelId: me.id,
    publishedAt: world.now(),
    // Nothing here looks into the file.
    seconds: 1,
    views: 0,
    likes: 0,
    takesRatings: true,
    takesComments: true,
    snippet,
    status,
    recordingDetails: {},
    localizations: writtenLocalizations(body, snippet),
    paidProductPlacementDetails: within(body, 'paidProductPlacementDetails'),
    wasPublished: status.privacyStatus === 'public',
  };
  world.videos.set(video.id, video);
  return { body: presentResource(video, { kind: 'video', makers: VIDEO_MAKERS, call }) };
}
