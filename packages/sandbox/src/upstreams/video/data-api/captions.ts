import type { Outcome } from '../../../google/method.js';
import type { Rules } from '../../../google/parameter-rules.js';
import { forbidden, refuse } from '../refusals.js';
import { CAPTIONS } from '../scopes.js';
import { withEtag } from '../with-etag.js';
import { type Caption, timeOf } from '../world.js';
import { type Call, serviceMethods } from './call.js';
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

const PARTS = partNames(MAKERS);
const NAMED: Rules = { onBehalfOf: 'text', ...OWNED };
const WRITTEN = {
  scopes: CAPTIONS,
  parameters: { sync: 'flag', ...NAMED },
  parts: PARTS,
  body: CAPTION_BODY,
  takes: anyFile(100),
} as const;

export const captionMethods = serviceMethods('Caption', '/captions', {
  List: {
    scopes: CAPTIONS,
    parameters: { videoId: 'text', id: 'texts', ...NAMED },
    needs: ['videoId'],
    parts: PARTS,
    units: 50,
    handle: listCaptions,
  },
  Delete: { scopes: CAPTIONS, parameters: { id: 'text', ...NAMED }, needs: ['id'], handle: deleteCaption },
  Download: {
    verb: 'GET',
    path: '/captions/:id',
    scopes: CAPTIONS,
    parameters: { tfmt: 'text', tlang: 'text', ...NAMED },
    answersFile: true,
    units: 200,
    handle: downloadCaption,
  },
  Insert: { ...WRITTEN, units: 400, handle: (call) => present(call, insertCaption(call)) },
  Update: { ...WRITTEN, units: 450, handle: (call) => present(call, updateCaption(call)) },
});

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
