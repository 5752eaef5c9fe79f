import type { VideoPlaylistUpdateInput } from '../../../generated/handlers.js';
import type { Send } from '../../handler.js';
import { mergePart, readStored } from './stored.js';

const PATH = '/youtube/v3/playlists';
const PARTS = 'snippet,status';
const SNIPPET = ['title', 'description', 'defaultLanguage', 'tags'];
const STATUS = ['privacyStatus', 'podcastStatus'];

/** Writes both parts whole: the upstream resets what a written part leaves out. */
export async function updatePlaylist(input: VideoPlaylistUpdateInput, send: Send): Promise<unknown> {
  const { playlist_id: id, title, description, default_language, privacy_status } = input;
  const stored = await readStored(send, { noun: 'playlist', path: PATH, part: PARTS, id });
  const snippet = { title, description, defaultLanguage: default_language };
  return send({
    method: 'PUT',
    path: PATH,
    query: { part: PARTS },
    body: {
      id,
      snippet: mergePart(stored['snippet'], SNIPPET, snippet),
      status: mergePart(stored['status'], STATUS, { privacyStatus: privacy_status }),
    },
  });
}
