import type { Outcome } from '../../../google/method.js';
import { refuse } from '../refusals.js';
import { READING, WRITING } from '../scopes.js';
import { isVisible, type Playlist, type PlaylistItem } from '../world.js';
import { type Call, serviceMethods } from './call.js';
import { idsOf, oneFilter, requiredText } from './filters.js';
import { findPlaylist, isMade } from './find-playlist.js';
import { insertItem, PLAYLIST_ITEM_BODY } from './insert-playlist-item.js';
import { listPage, PAGED } from './list-page.js';
import { OWNED } from './owner-parameters.js';
import { PLAYLIST_ITEM_MAKERS, presentItem } from './playlist-item-parts.js';
import { partNames } from './resource.js';

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

interface Place {
  readonly playlist: Playlist;
  readonly item: PlaylistItem;
}

function listItems(call: Call): Outcome {
  const { parameters, world } = call;
  const filter = oneFilter(call, FILTERS);
  const size = parameters.integer('maxResults', 5);
  const videoId = parameters.text('videoId');
  if (videoId !== undefined && !world.videos.has(videoId))
    throw refuse(404, 'videoNotFound', 'The video that the videoId parameter names cannot be found.');
  const places = filter === 'id' ? idsOf(call).flatMap((id) => findPlace(call, id) ?? []) : placesOf(call);
  const found = places.filter(({ item }) => videoId === undefined || item.videoId === videoId);
  return {
    body: listPage(call, found, {
      kind: 'playlistItemListResponse',
      size,
      present: (place) => presentItem(place, call),
    }),
  };
}

function placesOf({ world, me, parameters }: Call): Place[] {
  const playlist = findPlaylist(world, parameters.text('playlistId') ?? '');
  if (playlist === undefined)
    throw refuse(404, 'playlistNotFound', 'The playlist identified with the request cannot be found.');
  if (!isVisible(playlist, me))
    throw refuse(403, 'playlistItemsNotAccessible', 'The items of this playlist are not accessible.');
  return playlist.items.map((item) => ({ playlist, item }));
}

function findPlace({ world, me }: Call, id: string): Place | undefined {
  const [ownId = ''] = Buffer.from(id, 'base64url').toString('latin1').split('.');
  const automatic = findPlaylist(world, ownId);
  const playlists = [...world.playlists.values(), ...(automatic === undefined ? [] : [automatic])];
  for (const playlist of playlists.filter((one) => isVisible(one, me))) {
    const item = playlist.items.find((one) => one.id === id);
    if (item !== undefined) return { playlist, item };
  }
  return undefined;
}

/** The place of an item that a request changes. */
function ownPlace(call: Call, id: string): Place {
  const place = findPlace(call, id);
  if (place === undefined)
    throw refuse(
      404,
      'playlistItemNotFound',
      'The playlist item identified with the request cannot be found.',
    );
  const { playlist } = place;
  if (playlist.channelId !== call.me.id)
    throw refuse(403, 'playlistItemsNotAccessible', 'You may not change this playlist.');
  if (!isMade(call.world, playlist))
    throw refuse(400, 'playlistOperationUnsupported', 'This playlist is made by the service.');
  return place;
}

function deleteItem(call: Call): Outcome {
  const { playlist, item } = ownPlace(call, requiredText(call, 'id'));
  playlist.items.splice(playlist.items.indexOf(item), 1);
  return { status: 204 };
}
