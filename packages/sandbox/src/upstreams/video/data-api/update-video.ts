import { isObject } from '../../../json.js';
import { parseDateTime } from '../../../zoned-time.js';
import { each, flag, ignored, list, NAMING, pick, record, text, textOf, within, word } from '../body.js';
import { missingParameter, refuse } from '../refusals.js';
import type { Fields, Video } from '../world.js';
import type { Call } from './call.js';
import { isAssignable } from './categories.js';
import { checkLanguage } from './filters.js';
import { ownVideo } from './find-video.js';
import { PRIVACY, privacyOf, writtenLocalizations } from './playlist-parts.js';
import { VIDEO_MAKERS } from './video-parts.js';

const LICENSES = ['youtube', 'creativeCommon'] as const;

export const VIDEO_BODY = record({
  ...NAMING,
  ...each(ignored, Object.keys(VIDEO_MAKERS).join(' ')),
  snippet: record(
    {
      ...each(text, 'title description categoryId defaultLanguage defaultAudioLanguage'),
      tags: list(text),
    },
    'publishedAt channelId channelTitle thumbnails liveBroadcastContent localized',
  ),
  status: record(
    {
      privacyStatus: word(...PRIVACY),
      publishAt: text,
      license: word(...LICENSES),
      ...each(flag, 'embeddable publicStatsViewable selfDeclaredMadeForKids containsSyntheticMedia'),
    },
    'madeForKids uploadStatus failureReason rejectionReason',
  ),
  recordingDetails: record({ recordingDate: text }, 'location locationDescription'),
  paidProductPlacementDetails: record({ hasPaidProductPlacement: flag }),
  brandPartner: record({ channelId: text, channelHandle: text }),
});

/** Updates the requested parts of a video. Fields that the body omits from a requested part are deleted. */
export function updateVideo(call: Call): Video {
  const { body, parts } = call;
  const id = textOf(body, 'id');
  if (id === undefined) throw missingParameter('id');
  const video = ownVideo(call, id);
  const snippet = parts.has('snippet') ? writtenSnippet(body) : video.snippet;
  const status = parts.has('status') ? writtenStatus(body, video) : video.status;
  const recordingDetails = parts.has('recordingDetails') ? writtenRecording(body) : video.recordingDetails;
  if (parts.has('localizations')) video.localizations = writtenLocalizations(body, snippet);
  if (parts.has('paidProductPlacementDetails'))
    video.paidProductPlacementDetails = within(body, 'paidProductPlacementDetails');
  if (parts.has('brandPartner')) video.brandPartner = writtenBrandPartner(call);
  if (status.privacyStatus === 'public') video.wasPublished = true;
  return Object.assign(video, { snippet, status, recordingDetails });
}

/** Resolves the brand partner by channel id or handle. Responses contain only the channel id. */
export function writtenBrandPartner({ body, world }: Call): Fields | undefined {
  const { channelId, channelHandle } = within(body, 'brandPartner');
  if (channelId === undefined && channelHandle === undefined) return undefined;
  const brand = [...world.channels.values()].find(
    ({ id, handle }) => id === channelId || handle === channelHandle,
  );
  if (brand === undefined) throw refuse(404, 'channelNotFound', 'The brand partner cannot be found.');
  return { channelId: brand.id };
}

export function writtenSnippet(body: Fields): Fields {
  const snippet = within(body, 'snippet');
  const [title, categoryId] = [textOf(snippet, 'title'), textOf(snippet, 'categoryId')];
  if (!isObject(body.snippet) || title === undefined || categoryId === undefined)
    throw refuse(
      400,
      'invalidVideoMetadata',
      'The request metadata is invalid: title and category are needed.',
    );
  if (title.trim() === '' || title.length > 100 || /[<>]/.test(title))
    throw refuse(400, 'invalidTitle', 'The request metadata specifies an invalid or empty video title.');
  const description = textOf(snippet, 'description') ?? '';
  if (Buffer.byteLength(description) > 5000 || /[<>]/.test(description))
    throw refuse(400, 'invalidDescription', 'The request metadata specifies an invalid video description.');
  if (tagsLength(snippet.tags) > 500)
    throw refuse(400, 'invalidTags', 'The request metadata specifies invalid video keywords.');
  if (!isAssignable(categoryId))
    throw refuse(400, 'invalidCategoryId', 'The snippet.categoryId property specifies an invalid category.');
  checkLanguage(textOf(snippet, 'defaultLanguage'));
  checkLanguage(textOf(snippet, 'defaultAudioLanguage'));
  const rest = pick(snippet, ['tags', 'defaultLanguage', 'defaultAudioLanguage']);
  return { title, description, categoryId, ...rest };
}

// Computes the length of a tag list. Tags are separated by commas, and a tag with spaces counts two quotation marks.
function tagsLength(tags: unknown): number {
  if (!Array.isArray(tags) || tags.length === 0) return 0;
  return tags
    .map((tag) => String(tag))
    .reduce((sum, tag) => sum + tag.length + (tag.includes(' ') ? 2 : 0) + 1, -1);
}

export function writtenStatus(body: Fields, video: Pick<Video, 'wasPublished'>): Video['status'] {
  const status = within(body, 'status');
  const privacyStatus = privacyOf(status);
  const publishAt = textOf(status, 'publishAt');
  const isLegal = privacyStatus === 'private' && !video.wasPublished;
  if (publishAt !== undefined && (!isLegal || parseDateTime(publishAt)?.instant === undefined))
    throw refuse(
      400,
      'invalidPublishAt',
      'The request metadata specifies an invalid scheduled publishing time.',
    );
  return {
    license: 'youtube',
    embeddable: true,
    publicStatsViewable: true,
    ...pick(
      status,
      'publishAt license embeddable publicStatsViewable selfDeclaredMadeForKids containsSyntheticMedia'.split(
        ' ',
      ),
    ),
    privacyStatus,
  };
}

function writtenRecording(body: Fields): Fields {
  const details = within(body, 'recordingDetails');
  const date = textOf(details, 'recordingDate');
  if (date !== undefined && parseDateTime(date)?.instant === undefined)
    throw refuse(400, 'invalidRecordingDetails', 'The recordingDetails object specifies invalid details.');
  return pick(details, ['recordingDate']);
}
