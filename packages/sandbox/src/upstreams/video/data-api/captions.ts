import type { Outcome } from '../../../google/method.js';
import { forbidden, refuse } from '../refusals.js';
import { CAPTIONS } from '../scopes.js';
import { withEtag } from '../with-etag.js';
import { type Caption, timeOf } from '../world.js';
import type { Call, Method } from './call.js';
import { idsOf, requiredText } from './filters.js';
import { anyFile } from './media.js';
import { OWNED } from './owner-parameters.js';
import { type PartMakers, partNames, presentResource } from './resource.js';
import { CAPTION_BODY, downloadCaption, insertCaption, ownCaption, updateCaption } from './write-caption.js';

const MAKERS: PartMakers<Caption> = {
  snippet: ({ videoId, language, name, trackKind, isDraft, isAutoSynced, updatedAt }) => ({
    videoId,
    lastUpdated: timeOf(updatedAt),
    trackKind,
    language,
    name,
    audioTrackType: 'unknown',
    isCC: false,
    isLarge: false,
    isEasyReader: false,
    isDraft,
    isAutoSynced,
    status: 'serving',
  }),
};

const WRITTEN = {
  path: '/captions',
  scopes: CAPTIONS,
  parameters: { onBehalfOf: 'text', sync: 'flag', ...OWNED },
  parts: partNames(MAKERS),
  body: CAPTION_BODY,
  takes: anyFile(100),
} satisfies Partial<Method>;

export const captionMethods: readonly Method[] = [
  {
    name: 'youtube.api.v3.V3DataCaptionService.List',
    verb: 'GET',
    path: '/captions',
    scopes: CAPTIONS,
    parameters: { videoId: 'text', id: 'texts', onBehalfOf: 'text', ...OWNED },
    needs: ['videoId'],
    parts: partNames(MAKERS),
    units: 50,
    handle: listCaptions,
  },
  {
    name: 'youtube.api.v3.V3DataCaptionService.Delete',
    verb: 'DELETE',
    path: '/captions',
    scopes: CAPTIONS,
    parameters: { id: 'text', onBehalfOf: 'text', ...OWNED },
    needs: ['id'],
    units: 50,
    handle: deleteCaption,
  },
  {
    name: 'youtube.api.v3.V3DataCaptionService.Download',
    verb: 'GET',
    path: '/captions/:id',
    scopes: CAPTIONS,
    parameters: { onBehalfOf: 'text', tfmt: 'text', tlang: 'text', ...OWNED },
    answersFile: true,
    units: 200,
    handle: downloadCaption,
  },
  {
    ...WRITTEN,
    name: 'youtube.api.v3.V3DataCaptionService.Insert',
    verb: 'POST',
    units: 400,
    handle: (call) => present(call, insertCaption(call)),
  },
  {
    ...WRITTEN,
    name: 'youtube.api.v3.V3DataCaptionService.Update',
    verb: 'PUT',
    units: 450,
    handle: (call) => present(call, updateCaption(call)),
  },
];

const present = (call: Call, track: Caption): Outcome => ({
  body: presentResource(track, { kind: 'caption', makers: MAKERS, call }),
});

function listCaptions(call: Call): Outcome {
  const { world, me } = call;
  const video = world.videos.get(requiredText(call, 'videoId'));
  if (video === undefined) throw refuse(404, 'videoNotFound', 'The video cannot be found.');
  if (video.status.privacyStatus === 'private' && video.channelId !== me.id) throw forbidden();
  const tracks = [...world.captions.values()].filter(({ videoId }) => videoId === video.id);
  const named = idsOf(call);
  if (named.some((id) => tracks.every((track) => track.id !== id)))
    throw refuse(404, 'captionNotFound', 'One or more of the caption tracks cannot be found.');
  const items = tracks
    .filter(({ id }) => named.length === 0 || named.includes(id))
    .map((track) => presentResource(track, { kind: 'caption', makers: MAKERS, call }));
  return { body: withEtag({ kind: 'youtube#captionListResponse', items }) };
}

function deleteCaption(call: Call): Outcome {
  const { id } = ownCaption(call, requiredText(call, 'id'));
  call.world.captions.delete(id);
  return { status: 204 };
}
