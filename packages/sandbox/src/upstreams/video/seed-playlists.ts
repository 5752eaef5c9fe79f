import { DAY } from '../../zoned-time.js';
import { ADA, FIRST_DAY, GRACE } from './seed-data.js';
import type { Fields, Playlist, Privacy, World } from './world.js';

interface NewPlaylist {
  readonly name: string;
  readonly channelId: string;
  readonly snippet: Fields;
  readonly privacy: Privacy;
  readonly podcastStatus?: string;
  readonly isSortedByHand?: boolean;
  readonly videos: readonly { readonly id: string; readonly note?: string }[];
}

const PLAYLISTS: readonly NewPlaylist[] = [
  {
    name: 'adaMathematics',
    channelId: ADA,
    snippet: { title: 'Mathematics', description: 'In order', defaultLanguage: 'en', tags: ['numbers'] },
    privacy: 'public',
    videos: [{ id: 'adaEngine01' }, { id: 'adaNotes_02', note: 'Mind note G' }, { id: 'graceCobol1' }],
  },
  {
    name: 'adaWatchLater',
    channelId: ADA,
    snippet: { title: 'To watch', description: 'Newest first' },
    privacy: 'private',
    podcastStatus: 'disabled',
    isSortedByHand: false,
    videos: [{ id: 'graceBug_02' }],
  },
  {
    name: 'adaLectures',
    channelId: ADA,
    snippet: { title: 'Lectures', description: '' },
    privacy: 'unlisted',
    videos: [{ id: 'societyLec1' }],
  },
  {
    name: 'graceCompilers',
    channelId: GRACE,
    snippet: { title: 'Compilers', description: 'Words for machines' },
    privacy: 'public',
    videos: [{ id: 'graceCobol1' }],
  },
  {
    name: 'graceSecrets',
    channelId: GRACE,
    snippet: { title: 'Secrets', description: '' },
    privacy: 'private',
    videos: [{ id: 'graceHide03' }],
  },
];

export function addSeededPlaylists({ playlists }: World): void {
  PLAYLISTS.forEach((seed, index) => {
    const playlist = seededPlaylist(seed, FIRST_DAY + (30 + index) * DAY);
    playlists.set(playlist.id, playlist);
  });
}

function seededPlaylist(seed: NewPlaylist, publishedAt: number): Playlist {
  const { name, channelId, snippet, privacy, podcastStatus, isSortedByHand = true, videos } = seed;
  return {
    id: `PL${name.padEnd(32, '0')}`,
    channelId,
    publishedAt,
    snippet,
    status: { ...(podcastStatus === undefined ? {} : { podcastStatus }), privacyStatus: privacy },
    localizations: {},
    isSortedByHand,
    items: videos.map(({ id, note }) => ({
      id: Buffer.from(`item of ${name}: ${id}`).toString('base64url'),
      videoId: id,
      addedAt: publishedAt,
      contentDetails: note === undefined ? {} : { note },
    })),
  };
}
