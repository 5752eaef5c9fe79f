import type { Outcome } from '../../../google/method.js';
import { count, each, ignored, NAMING, pick, record, text, textOf, within } from '../body.js';
import { refuse } from '../refusals.js';
import { READING, WRITING } from '../scopes.js';
import {
  type Fields,
  isVisible,
  newItemId,
  type Playlist,
  type PlaylistItem,
  timeOf,
  type Video,
} from '../world.js';
import { type Call, OWNED, serviceMethods } from './call.js';
import { idsOf, oneFilter, requiredText } from './filters.js';
import { findPlaylist, isMade } from './find-playlist.js';
import { listPage, PAGED, type PartMakers, partNames, presentResource, thumbnails } from './resource.js';

const PLAYLIST_ITEM_BODY = record({
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
    ...each(text, 'note startAt endAt videoId'),
    videoPublishedAt: ignored,
  }),
  status: ignored,
});

const LONGEST_NOTE = 280;
const MOST_ITEMS = 5000;

function insertItem(call: Call): Outcome {
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
  checkChangeable({ world, me }, playlist);
  return playlist;
}

function checkChangeable({ world, me }: Pick<Call, 'world' | 'me'>, playlist: Playlist): void {
  if (playlist.channelId !== me.id)
    throw refuse(403, 'playlistItemsNotAccessible', 'You may not change this playlist.');
  if (!isMade(world, playlist))
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

/** Returns the position of an item: the position in the body, otherwise the end of a manually sorted playlist. */
function positionOf({ position }: Fields, { isSortedByHand, items }: Playlist): number {
  if (position === undefined || position === null) return isSortedByHand ? items.length : 0;
  if (!isSortedByHand)
    throw refuse(400, 'manualSortRequired', 'The playlist does not use manual sorting: set its order first.');
  if (typeof position === 'number' && position >= 0 && position <= items.length) return position;
  throw refuse(400, 'invalidPlaylistItemPosition', 'The request attempts to set an invalid position.');
}

interface ListedItem {
  readonly playlist: Playlist;
  readonly item: PlaylistItem;
}

interface Entry extends ListedItem {
  readonly id: string;
  readonly video: Video | undefined;
}

const PLAYLIST_ITEM_MAKERS: PartMakers<Entry> = {
  snippet: presentSnippet,
  contentDetails: ({ item, video }) => ({
    videoId: item.videoId,
    ...item.contentDetails,
    ...(video === undefined ? {} : { videoPublishedAt: timeOf(video.publishedAt) }),
  }),
  status: ({ video }) => ({ privacyStatus: video?.status.privacyStatus ?? 'privacyStatusUnspecified' }),
};

// Items of deleted or private videos stay in the playlist. Their title says so, and other details are hidden.
function presentSnippet({ playlist, item, video }: Entry, { world, me }: Call): Fields {
  const isAvailable = video !== undefined && isVisible(video, me);
  const lost = video === undefined ? 'Deleted video' : 'Private video';
  return {
    publishedAt: timeOf(item.addedAt),
    channelId: playlist.channelId,
    channelTitle: world.channels.get(playlist.channelId)?.title,
    title: isAvailable ? video.snippet.title : lost,
    description: isAvailable ? video.snippet.description : `This video is unavailable.`,
    thumbnails: isAvailable ? thumbnails(`vi/${video.id}`) : {},
    playlistId: playlist.id,
    position: playlist.items.indexOf(item),
    resourceId: { kind: 'youtube#video', videoId: item.videoId },
    ...(isAvailable
      ? {
          videoOwnerChannelId: video.channelId,
          videoOwnerChannelTitle: world.channels.get(video.channelId)?.title,
        }
      : {}),
  };
}

function presentItem(listed: ListedItem, call: Call): Fields {
  const { id, videoId } = listed.item;
  const entry = { ...listed, id, video: call.world.videos.get(videoId) };
  return presentResource(entry, { kind: 'playlistItem', makers: PLAYLIST_ITEM_MAKERS, call });
}

const FILTERS = ['playlistId', 'id'] as const;
const PARTS = partNames(PLAYLIST_ITEM_MAKERS);

export const playlistItemMethods = serviceMethods('PlaylistItem', '/playlistItems', {
  List: {
    scopes: READING,
    parameters: { playlistId: 'text', id: 'texts', videoId: 'text', ...PAGED, ...OWNED },
    parts: PARTS,
    handle: listItems,
  },
  Insert: { scopes: WRITING, parameters: OWNED, parts: PARTS, body: PLAYLIST_ITEM_BODY, handle: insertItem },
  Delete: { scopes: WRITING, parameters: { id: 'text', ...OWNED }, needs: ['id'], handle: deleteItem },
});

function listItems(call: Call): Outcome {
  const { parameters, world } = call;
  const filter = oneFilter(call, FILTERS);
  const size = parameters.integer('maxResults', 5);
  const videoId = parameters.text('videoId');
  if (videoId !== undefined && !world.videos.has(videoId))
    throw refuse(404, 'videoNotFound', 'The video that the videoId parameter names cannot be found.');
  const listedItems = filter === 'id' ? idsOf(call).flatMap((id) => findItem(call, id) ?? []) : itemsOf(call);
  const matches = listedItems.filter(({ item }) => videoId === undefined || item.videoId === videoId);
  return {
    body: listPage(call, matches, {
      kind: 'playlistItemListResponse',
      size,
      present: (listed) => presentItem(listed, call),
    }),
  };
}

function itemsOf({ world, me, parameters }: Call): ListedItem[] {
  const playlist = findPlaylist(world, parameters.text('playlistId') ?? '');
  if (playlist === undefined)
    throw refuse(404, 'playlistNotFound', 'The playlist identified with the request cannot be found.');
  if (!isVisible(playlist, me))
    throw refuse(403, 'playlistItemsNotAccessible', 'The items of this playlist are not accessible.');
  return playlist.items.map((item) => ({ playlist, item }));
}

function findItem({ world, me }: Call, id: string): ListedItem | undefined {
  const [ownId = ''] = Buffer.from(id, 'base64url').toString('latin1').split('.');
  const automatic = findPlaylist(world, ownId);
  const playlists = [...world.playlists.values(), ...(automatic === undefined ? [] : [automatic])];
  for (const playlist of playlists.filter((one) => isVisible(one, me))) {
    const item = playlist.items.find((one) => one.id === id);
    if (item !== undefined) return { playlist, item };
  }
  return undefined;
}

function deleteItem(call: Call): Outcome {
  const listed = findItem(call, requiredText(call, 'id'));
  if (listed === undefined)
    throw refuse(
      404,
      'playlistItemNotFound',
      'The playlist item identified with the request cannot be found.',
    );
  const { playlist, item } = listed;
  checkChangeable(call, playlist);
  playlist.items.splice(playlist.items.indexOf(item), 1);
  return { status: 204 };
}
