import { ApiError } from '../../../google/api-error.js';
import type { Outcome } from '../../../google/method.js';
import type { Rules } from '../../../google/parameter-rules.js';
import { each, flag, NAMING, record, text, textOf, withEtag, within } from '../body.js';
import { forbidden, missingParameter, refuse } from '../refusals.js';
import { CAPTIONS } from '../scopes.js';
import { type Caption, newCaptionId, timeOf } from '../world.js';
import { type Call, OWNED, serviceMethods } from './call.js';
import { convertCaption } from './caption-text.js';
import { checkLanguage, idsOf, requiredText } from './filters.js';
import { anyFile, mediaOf } from './media.js';
import { type PartMakers, partNames, presentResource } from './resource.js';

const LONGEST_NAME = 150;

const CAPTION_BODY = record({
  ...NAMING,
  snippet: record(
    { ...each(text, 'videoId language name'), isDraft: flag },
    'lastUpdated trackKind audioTrackType isCC isLarge isEasyReader isAutoSynced status failureReason',
  ),
});

function ownCaption({ world, me }: Call, id: string): Caption {
  const track = world.captions.get(id);
  if (track === undefined) throw refuse(404, 'captionNotFound', 'The caption track cannot be found.');
  if (world.videos.get(track.videoId)?.channelId !== me.id) throw forbidden();
  return track;
}

function insertCaption(call: Call): Caption {
  const { world, me, body } = call;
  const { bytes } = mediaOf(call, 'contentRequired');
  const snippet = within(body, 'snippet');
  const [videoId, language, name] = ['videoId', 'language', 'name'].map((field) => textOf(snippet, field));
  if (videoId === undefined || language === undefined || name === undefined)
    throw refuse(400, 'invalidMetadata', 'The track needs a video, a language and a name.');
  checkLanguage(language);
  if (name.length > LONGEST_NAME) throw refuse(400, 'nameTooLong', 'The name of the track is too long.');
  const video = world.videos.get(videoId);
  if (video === undefined) throw refuse(404, 'videoNotFound', 'The video cannot be found.');
  if (video.channelId !== me.id) throw forbidden();
  const tracks = [...world.captions.values()].filter((one) => one.videoId === videoId);
  if (tracks.some((one) => one.language === language && one.name === name && one.trackKind === 'standard'))
    throw new ApiError(409, 'captionExists', 'The video has a track of this language and name.', {
      domain: 'youtube.api',
    });
  return store(call, {
    id: newCaptionId(),
    videoId,
    language,
    name,
    trackKind: 'standard',
    isDraft: snippet.isDraft === true,
    isAutoSynced: call.parameters.flag('sync') === true,
    updatedAt: world.now(),
    text: bytes.toString('utf8'),
  });
}

function updateCaption(call: Call): Caption {
  const { body, media, world, parts } = call;
  const id = textOf(body, 'id');
  if (id === undefined) throw missingParameter('id');
  const track = ownCaption(call, id);
  const snippet = within(body, 'snippet');
  const isDraft = parts.has('snippet') ? snippet.isDraft === true : track.isDraft;
  const file = media === undefined ? {} : { text: mediaOf(call, 'contentRequired').bytes.toString('utf8') };
  return store(call, { ...track, isDraft, updatedAt: world.now(), ...file });
}

function store({ world }: Call, track: Caption): Caption {
  world.captions.set(track.id, track);
  return track;
}

function downloadCaption(call: Call): Outcome {
  const { parameters } = call;
  const track = ownCaption(call, call.pathPart('id'));
  const language = parameters.text('tlang');
  // The sandbox cannot translate captions, so only the original language is available.
  if (language !== undefined && language !== track.language)
    throw refuse(
      400,
      'couldNotConvert',
      'The caption track could not be converted into the requested language.',
    );
  const format = parameters.text('tfmt');
  return format === undefined
    ? { file: track.text, type: 'application/octet-stream' }
    : convertCaption(track.text, format);
}

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
const COMMON: Rules = { onBehalfOf: 'text', ...OWNED };
const WRITTEN = {
  scopes: CAPTIONS,
  parameters: { sync: 'flag', ...COMMON },
  parts: PARTS,
  body: CAPTION_BODY,
  takes: anyFile(100),
} as const;

export const captionMethods = serviceMethods('Caption', '/captions', {
  List: {
    scopes: CAPTIONS,
    parameters: { videoId: 'text', id: 'texts', ...COMMON },
    needs: ['videoId'],
    parts: PARTS,
    units: 50,
    handle: listCaptions,
  },
  Delete: { scopes: CAPTIONS, parameters: { id: 'text', ...COMMON }, needs: ['id'], handle: deleteCaption },
  Download: {
    verb: 'GET',
    path: '/captions/:id',
    scopes: CAPTIONS,
    parameters: { tfmt: 'text', tlang: 'text', ...COMMON },
    returnsFile: true,
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
  const ids = idsOf(call);
  if (ids.some((id) => tracks.every((track) => track.id !== id)))
    throw refuse(404, 'captionNotFound', 'One or more of the caption tracks cannot be found.');
  const items = tracks
    .filter(({ id }) => ids.length === 0 || ids.includes(id))
    .map((track) => presentResource(track, { kind: 'caption', makers: MAKERS, call }));
  return { body: withEtag({ kind: 'youtube#captionListResponse', items }) };
}

function deleteCaption(call: Call): Outcome {
  const { id } = ownCaption(call, requiredText(call, 'id'));
  call.world.captions.delete(id);
  return { status: 204 };
}
