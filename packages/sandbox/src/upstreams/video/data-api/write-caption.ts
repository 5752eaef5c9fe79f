import { ApiError } from '../../../google/api-error.js';
import type { Outcome } from '../../../google/method.js';
import { each, flag, NAMING, record, text, textOf, within } from '../body.js';
import { newCaptionId } from '../identifiers.js';
import { forbidden, missingParameter, refuse } from '../refusals.js';
import type { Caption } from '../world.js';
import type { Call } from './call.js';
import { convertCaption } from './caption-text.js';
import { checkLanguage } from './filters.js';
import { mediaOf } from './media.js';

const LONGEST_NAME = 150;

export const CAPTION_BODY = record({
  ...NAMING,
  snippet: record(
    { ...each(text, 'videoId language name'), isDraft: flag },
    'lastUpdated trackKind audioTrackType isCC isLarge isEasyReader isAutoSynced status failureReason',
  ),
});

/** The track of a request, which its video's owner alone may read and change. */
export function ownCaption({ world, me }: Call, id: string): Caption {
  const track = world.captions.get(id);
  if (track === undefined) throw refuse(404, 'captionNotFound', 'The caption track cannot be found.');
  if (world.videos.get(track.videoId)?.channelId !== me.id) throw forbidden();
  return track;
}

export function insertCaption(call: Call): Caption {
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
  return keep(call, {
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

/** A new file, another draft status, or both. */
export function updateCaption(call: Call): Caption {
  const { body, media, world, parts } = call;
  const id = textOf(body, 'id');
  if (id === undefined) throw missingParameter('id');
  const track = ownCaption(call, id);
  const snippet = within(body, 'snippet');
  const isDraft = parts.has('snippet') ? snippet.isDraft === true : track.isDraft;
  const file = media === undefined ? {} : { text: mediaOf(call, 'contentRequired').bytes.toString('utf8') };
  return keep(call, { ...track, isDraft, updatedAt: world.now(), ...file });
}

function keep({ world }: Call, track: Caption): Caption {
  world.captions.set(track.id, track);
  return track;
}

export function downloadCaption(call: Call): Outcome {
  const { parameters } = call;
  const track = ownCaption(call, call.place('id'));
  const language = parameters.text('tlang');
  // Nothing here translates.
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
