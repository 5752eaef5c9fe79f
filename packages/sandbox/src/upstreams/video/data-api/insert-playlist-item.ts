import type { Outcome } from '../../../google/method.js';
import { count, ignored, NAMING, pick, record, text, textOf, within } from '../body.js';
import { newItemId } from '../identifiers.js';
import { refuse } from '../refusals.js';
import { type Fields, isVisible, type Playlist, type PlaylistItem } from '../world.js';
import type { Call } from './call.js';
import { findPlaylist, isMade } from './find-playlist.js';
import { presentItem } from './playlist-item-parts.js';

export const PLAYLIST_ITEM_BODY = record({
  ...NAMING,
  snippet: record(
    {
      playlistId: text,
      position: count,
      resourceId: record({ kind: text, videoId: text, channelId: text, playlistId: text }),
    },
    'publishedAt channelId channelTitle title description thumbnails videoOwnerChannelId videoOwnerChannelTitle',
  ),
  contentDetails: record({
    note: text,
    startAt: text,
    endAt: text,
    videoId: text,
    videoPublishedAt: ignored,
  }),
  status: ignored,
});

const LONGEST_NOTE = 280;
const MOST_ITEMS = 5000;

export function insertItem(call: Call): Outcome {
  const snippet = within(call.body, 'snippet');
  const playlist = targetOf(call, snippet);
  const written = readItem(call);
  if (playlist.items.length >= MOST_ITEMS)
    throw refuse(403, 'playlistContainsMaximumNumberOfVideos', 'The playlist is full.');
  const position = positionOf(snippet, playlist);
  const item = { ...written, id: newItemId(), addedAt: call.world.now() };
  playlist.items.splice(position, 0, item);
  return { body: presentItem({ playlist, item }, call) };
}

/** The video that a body names, and what it notes with it. */
function readItem(call: Call): Pick<PlaylistItem, 'videoId' | 'contentDetails'> {
  const contentDetails = within(call.body, 'contentDetails');
  const videoId = videoOf(call, within(within(call.body, 'snippet'), 'resourceId'));
  if ((textOf(contentDetails, 'note') ?? '').length > LONGEST_NOTE)
    throw refuse(400, 'invalidContentDetails', 'The note is too long.');
  return { videoId, contentDetails: pick(contentDetails, ['note', 'startAt', 'endAt']) };
}

function targetOf({ world, me }: Call, snippet: Fields): Playlist {
  const id = textOf(snippet, 'playlistId') ?? '';
  if (id === '') throw refuse(400, 'playlistIdRequired', 'The request does not specify a playlist.');
  const playlist = findPlaylist(world, id);
  if (playlist === undefined)
    throw refuse(404, 'playlistNotFound', 'The playlist identified with the request cannot be found.');
  if (playlist.channelId !== me.id)
    throw refuse(403, 'playlistItemsNotAccessible', 'You may not change this playlist.');
  if (isMade(world, playlist)) return playlist;
  throw refuse(400, 'playlistOperationUnsupported', 'This playlist is made by the service.');
}

function videoOf({ world, me }: Call, resource: Fields): string {
  const { kind } = resource;
  const id = textOf(resource, 'videoId') ?? '';
  if (kind !== undefined && kind !== 'youtube#video')
    throw refuse(400, 'invalidResourceType', 'Only videos can stand in a playlist.');
  if (kind === undefined || id === '')
    throw refuse(400, 'resourceIdRequired', 'The request must contain a resource id with its kind.');
  const video = world.videos.get(id);
  if (video !== undefined && isVisible(video, me)) return id;
  throw refuse(404, 'videoNotFound', 'The video identified with the request cannot be found.');
}

/** Where an item goes: where the body says, or to the end that new ones have. */
function positionOf({ position }: Fields, { isSortedByHand, items }: Playlist): number {
  if (position === undefined || position === null) return isSortedByHand ? items.length : 0;
  if (!isSortedByHand)
    throw refuse(400, 'manualSortRequired', 'The playlist does not use manual sorting: set its order first.');
  if (typeof position === 'number' && position >= 0 && position <= items.length) return position;
  throw refuse(400, 'invalidPlaylistItemPosition', 'The request attempts to set an invalid position.');
}
