import { count, record, text, textOf, within, word } from '../body.js';
import { forbidden, refuse } from '../refusals.js';
import { READING, WRITING } from '../scopes.js';
import { isVisible, newLiveId, type PlaylistImage } from '../world.js';
import { type Call, OWNED, OWNED_CHANNEL } from './call.js';
import { requiredText } from './filters.js';
import { findPlaylist, ownPlaylist } from './find-playlist.js';
import { pictureOf, pictures } from './media.js';
import { methodsOf } from './owned-resource.js';
import { PAGED } from './resource.js';

const BODY = record({
  kind: text,
  id: text,
  snippet: record({ playlistId: text, type: word('hero', 'unknownType'), width: count, height: count }),
});

export const playlistImageMethods = methodsOf<PlaylistImage>({
  service: 'PlaylistImage',
  path: '/playlistImages',
  kind: 'playlistImage',
  makers: {
    snippet: ({ playlistId, width, height }) => ({ playlistId, type: 'hero', width, height }),
  },
  reading: READING,
  writing: WRITING,
  ofNew: OWNED_CHANNEL,
  ofChanged: OWNED,
  body: BODY,
  takes: pictures(50),
  isYoung: true,
  missing: 'playlistImageNotFound',
  itemsOf: ({ playlistImages }) => playlistImages,
  list: { parameters: { parent: 'text', ...PAGED, ...OWNED_CHANNEL }, size: 5, find: findImages },
  insert(call) {
    const playlist = playlistOf(call);
    const others = [...call.world.playlistImages.values()];
    if (others.some(({ playlistId }) => playlistId === playlist.id))
      throw refuse(400, 'playlistImageExists', 'The playlist has a picture: change that one.');
    return { id: newLiveId(), channelId: playlist.channelId, playlistId: playlist.id, ...squareOf(call) };
  },
  update(call, image) {
    if (playlistOf(call).id !== image.playlistId)
      throw refuse(400, 'invalidPlaylistId', 'The picture belongs to another playlist.');
    return { ...image, ...squareOf(call) };
  },
  remove: () => {},
});

function findImages(call: Call): PlaylistImage[] {
  const { world, me } = call;
  const playlist = findPlaylist(world, requiredText(call, 'parent'));
  if (playlist === undefined || !isVisible(playlist, me))
    throw refuse(404, 'playlistNotFound', 'The playlist identified with the request cannot be found.');
  if (playlist.channelId !== me.id) throw forbidden();
  return [...world.playlistImages.values()].filter(({ playlistId }) => playlistId === playlist.id);
}

function playlistOf(call: Call) {
  const id = textOf(within(call.body, 'snippet'), 'playlistId');
  if (id === undefined) throw refuse(400, 'playlistIdRequired', 'The request does not specify a playlist.');
  return ownPlaylist(call, id);
}

function squareOf(call: Call): Pick<PlaylistImage, 'width' | 'height'> {
  const { width, height } = pictureOf(call);
  if (width !== height) throw refuse(400, 'invalidImage', 'The picture of a playlist must be a square.');
  return { width, height };
}
