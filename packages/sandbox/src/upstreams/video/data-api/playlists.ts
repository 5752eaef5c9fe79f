import type { Outcome } from '../../../google/method.js';
import { isObject } from '../../../json.js';
import { textOf } from '../body.js';
import { missingParameter, refuse } from '../refusals.js';
import { READING, WRITING } from '../scopes.js';
import { isVisible, newPlaylistId, type Playlist } from '../world.js';
import { type Call, OWNED, OWNED_CHANNEL, serviceMethods } from './call.js';
import { checkLanguage, idsOf, oneFilter, requiredText } from './filters.js';
import { findPlaylist, isMade, ownPlaylist } from './find-playlist.js';
import {
  PLAYLIST_BODY,
  PLAYLIST_MAKERS,
  writtenLocalizations,
  writtenSnippet,
  writtenStatus,
} from './playlist-parts.js';
import { listPage, PAGED, partNames, presentResource } from './resource.js';

const FILTERS = ['channelId', 'id', 'mine'] as const;
const PARTS = partNames(PLAYLIST_MAKERS);

export const playlistMethods = serviceMethods('Playlist', '/playlists', {
  List: {
    scopes: READING,
    parameters: { channelId: 'text', id: 'texts', mine: 'flag', hl: 'text', ...PAGED, ...OWNED_CHANNEL },
    parts: PARTS,
    handle: listPlaylists,
  },
  Insert: {
    scopes: WRITING,
    parameters: OWNED_CHANNEL,
    parts: PARTS,
    body: PLAYLIST_BODY,
    handle: insertPlaylist,
  },
  Update: { scopes: WRITING, parameters: OWNED, parts: PARTS, body: PLAYLIST_BODY, handle: updatePlaylist },
  Delete: { scopes: WRITING, parameters: { id: 'text', ...OWNED }, needs: ['id'], handle: deletePlaylist },
});

const present = (call: Call) => (playlist: Playlist) =>
  presentResource(playlist, { kind: 'playlist', makers: PLAYLIST_MAKERS, call });

function listPlaylists(call: Call): Outcome {
  const { parameters, me } = call;
  checkLanguage(parameters.text('hl'));
  const filter = oneFilter(call, FILTERS);
  const size = parameters.integer('maxResults', 5);
  const playlists = findPlaylists(call, filter).filter((playlist) => isVisible(playlist, me));
  return { body: listPage(call, playlists, { kind: 'playlistListResponse', size, present: present(call) }) };
}

function findPlaylists(call: Call, filter: (typeof FILTERS)[number]): Playlist[] {
  const { world, me, parameters } = call;
  if (filter === 'id') return idsOf(call).flatMap((id) => findPlaylist(world, id) ?? []);
  const channelId = filter === 'mine' ? me.id : parameters.text('channelId');
  if (!world.channels.has(channelId ?? ''))
    throw refuse(404, 'channelNotFound', 'The channel specified in the channelId parameter cannot be found.');
  const isUnlistedElsewhere = ({ status }: Playlist) =>
    status.privacyStatus === 'unlisted' && channelId !== me.id;
  return [...world.playlists.values()]
    .filter((playlist) => playlist.channelId === channelId && !isUnlistedElsewhere(playlist))
    .sort((a, b) => b.publishedAt - a.publishedAt);
}

function insertPlaylist(call: Call): Outcome {
  const { world, me, body } = call;
  const snippet = writtenSnippet(body);
  const playlist: Playlist = {
    id: newPlaylistId(),
    channelId: me.id,
    publishedAt: world.now(),
    snippet,
    status: writtenStatus(body),
    localizations: writtenLocalizations(body, snippet),
    isSortedByHand: true,
    items: [],
  };
  world.playlists.set(playlist.id, playlist);
  return { body: present(call)(playlist) };
}

// Updates a playlist. A part is replaced completely if `part` names it and the body contains it.
function updatePlaylist(call: Call): Outcome {
  const { body, parts } = call;
  const playlist = changeable(call, textOf(body, 'id'));
  const isWritten = (part: string) => parts.has(part) && isObject(body[part]);
  // The title is required even if the request changes only the privacy status.
  const snippet = writtenSnippet(body);
  const localizations = isWritten('localizations')
    ? writtenLocalizations(body, snippet)
    : playlist.localizations;
  if (isWritten('status')) playlist.status = writtenStatus(body);
  Object.assign(playlist, { snippet, localizations });
  return { body: present(call)(playlist) };
}

function deletePlaylist(call: Call): Outcome {
  const playlist = changeable(call, requiredText(call, 'id'));
  const { playlists, playlistImages } = call.world;
  playlists.delete(playlist.id);
  for (const { id, playlistId } of [...playlistImages.values()])
    if (playlistId === playlist.id) playlistImages.delete(id);
  return { status: 204 };
}

function changeable(call: Call, id: string | undefined): Playlist {
  if (id === undefined) throw missingParameter('id');
  const playlist = ownPlaylist(call, id);
  if (isMade(call.world, playlist)) return playlist;
  throw refuse(400, 'playlistOperationUnsupported', 'This playlist is made by the service.');
}
