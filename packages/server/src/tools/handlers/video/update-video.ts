import type { JsonObject } from '@svc/catalog';
import type { VideoVideosUpdateInput } from '../../../generated/handlers.js';
import type { Send } from '../../handler.js';
import { refuseTooLong } from './refuse-too-long.js';
import { mergePart, readStored } from './stored.js';

const PATH = '/youtube/v3/videos';
const SNIPPET = ['title', 'description', 'categoryId', 'tags', 'defaultLanguage', 'defaultAudioLanguage'];
const STATUS = [
  'privacyStatus',
  'license',
  'embeddable',
  'publicStatsViewable',
  'publishAt',
  'selfDeclaredMadeForKids',
  'containsSyntheticMedia',
];

/**
 * Updates a video. The handler sends complete parts, such as the whole snippet, because the upstream resets fields that
 * a part omits. Parts without any input are not sent.
 */
export async function updateVideo(input: VideoVideosUpdateInput, send: Send): Promise<unknown> {
  refuseTooLong(input);
  const { video_id: id } = input;
  const given = { snippet: snippetOf(input), status: statusOf(input) };
  const part = [isGiven(given.snippet) ? 'snippet' : [], isGiven(given.status) ? 'status' : []].flat().join();
  const stored = await readStored(send, { noun: 'video', path: PATH, part, id });
  return send({
    method: 'PUT',
    path: PATH,
    query: { part },
    body: {
      id,
      ...(isGiven(given.snippet) && { snippet: mergePart(stored['snippet'], SNIPPET, given.snippet) }),
      ...(isGiven(given.status) && { status: mergeStatus(stored['status'], given.status) }),
    },
  });
}

const snippetOf = (input: VideoVideosUpdateInput): JsonObject => ({
  title: input.title,
  description: input.description,
  categoryId: input.category_id,
  tags: input.tags,
  defaultLanguage: input.default_language,
});

const statusOf = (input: VideoVideosUpdateInput): JsonObject => ({
  privacyStatus: input.privacy_status,
  license: input.license,
  embeddable: input.embeddable,
  publicStatsViewable: input.public_stats_viewable,
});

const isGiven = (part: JsonObject): boolean => Object.values(part).some((value) => value !== undefined);

// Removes the publication time unless the video is private, because the upstream rejects it for other videos.
function mergeStatus(stored: unknown, given: JsonObject): JsonObject {
  const { publishAt, ...status } = mergePart(stored, STATUS, given);
  const isPlanned = publishAt !== undefined && status['privacyStatus'] === 'private';
  return isPlanned ? { ...status, publishAt } : status;
}
