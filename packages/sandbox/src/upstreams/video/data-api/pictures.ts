import type { Outcome } from '../../../google/method.js';
import { record, text, withEtag, word } from '../body.js';
import { forbidden, refuse } from '../refusals.js';
import { type ScopeName, UPLOADING, WRITING } from '../scopes.js';
import { newLiveId } from '../world.js';
import { type Call, type Method, OWNED, OWNED_CHANNEL, serviceMethods } from './call.js';
import { requiredText } from './filters.js';
import { ownVideo } from './find-video.js';
import { pictureOf, pictures } from './media.js';
import { thumbnails } from './resource.js';

const BANNERS: readonly ScopeName[] = ['youtube', 'youtube.force-ssl', 'youtube.upload'];

const WATERMARK_BODY = record(
  {
    targetChannelId: text,
    position: record({
      type: word('corner'),
      cornerPosition: word('topLeft', 'topRight', 'bottomLeft', 'bottomRight'),
    }),
    timing: record({ type: word('offsetFromStart', 'offsetFromEnd') }, 'offsetMs durationMs'),
  },
  'imageUrl imageBytes',
);

export const pictureMethods: readonly Method[] = [
  ...serviceMethods('Thumbnail', '/thumbnails/set', {
    Set: {
      scopes: UPLOADING,
      parameters: { videoId: 'text', ...OWNED },
      needs: ['videoId'],
      takes: pictures(50),
      handle: setThumbnail,
    },
  }),
  ...serviceMethods('ChannelBanner', '/channelBanners/insert', {
    Insert: {
      scopes: BANNERS,
      parameters: { channelId: 'text', ...OWNED_CHANNEL },
      takes: pictures(6),
      handle: insertBanner,
    },
  }),
  ...serviceMethods('Watermark', '/watermarks/set', {
    Set: {
      scopes: UPLOADING,
      parameters: { channelId: 'text', ...OWNED },
      needs: ['channelId'],
      body: WATERMARK_BODY,
      takes: pictures(10),
      handle(call) {
        checkOwnChannel(call);
        pictureOf(call, 'imageFormatUnsupported');
        // The watermark is checked and discarded, because no API method returns it. Only the video player shows it.
        return { status: 204 };
      },
    },
    Unset: {
      path: '/watermarks/unset',
      scopes: WRITING,
      parameters: { channelId: 'text', ...OWNED },
      needs: ['channelId'],
      handle(call) {
        checkOwnChannel(call);
        return { status: 204 };
      },
    },
  }),
];

function checkOwnChannel(call: Call): void {
  const channelId = requiredText(call, 'channelId');
  if (!call.world.channels.has(channelId))
    throw refuse(404, 'channelNotFound', 'The channel cannot be found.');
  if (channelId !== call.me.id) throw forbidden();
}

function setThumbnail(call: Call): Outcome {
  const video = ownVideo(call, requiredText(call, 'videoId'));
  pictureOf(call);
  video.hasCustomThumbnail = true;
  return {
    body: withEtag({
      kind: 'youtube#thumbnailSetResponse',
      items: [thumbnails(`vi/${video.id}`, { hasLarge: true })],
    }),
  };
}

// Stores a banner and returns its URL. The banner becomes visible after an update of the channel uses this URL.
function insertBanner(call: Call): Outcome {
  const { world, me } = call;
  pictureOf(call);
  const url = `https://yt3.googleusercontent.com/${newLiveId()}`;
  world.banners.set(url, me.id);
  return { body: withEtag({ kind: 'youtube#channelBannerResource', url }) };
}
