import type { Clock } from '../../clock.js';
import { DAY } from '../../zoned-time.js';
import { ADA, CHANNELS, CHARLES, FIRST_DAY, GRACE, SOCIETY, VIDEOS } from './seed-data.js';
import {
  type Comment,
  createWorld,
  type Fields,
  type Playlist,
  type Privacy,
  timeOf,
  type World,
} from './world.js';

export function seededWorld(clock: Clock): World {
  const world = createWorld(clock);
  for (const channel of CHANNELS) world.channels.set(channel.id, channel);
  addVideos(world);
  addSeededPlaylists(world);
  addSeededTalk(world);
  addSystemJob(world);
  return world;
}

function addVideos({ videos, now }: World): void {
  VIDEOS.forEach(({ privacy = 'public', status, ...video }, index) => {
    const scheduled = video.wasPublished === false ? { publishAt: timeOf(now() + 7 * DAY) } : {};
    videos.set(video.id, {
      publishedAt: FIRST_DAY + (10 + index) * DAY,
      likes: Math.floor(video.views / 20),
      takesRatings: true,
      takesComments: true,
      recordingDetails: {},
      localizations: {},
      paidProductPlacementDetails: {},
      wasPublished: true,
      ...video,
      status: {
        license: 'youtube',
        embeddable: true,
        publicStatsViewable: true,
        ...scheduled,
        ...status,
        privacyStatus: privacy,
      },
    });
  });
}

/** Adds a system-managed reporting job for Ada, old enough to have reports. */
function addSystemJob({ jobs, now }: World): void {
  jobs.set('adaSystemJob', {
    id: 'adaSystemJob',
    owner: ADA,
    reportTypeId: 'system_estimated_video_a1',
    name: 'Estimates',
    createdAt: now() - 10 * DAY,
    isSystemManaged: true,
  });
}

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

function addSeededPlaylists({ playlists }: World): void {
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

const TALK_DAY = FIRST_DAY + 40 * DAY;

type NewComment = Pick<Comment, 'id' | 'authorId' | 'text'> &
  Partial<Pick<Comment, 'parentId' | 'videoId' | 'imageUrl'>>;

const COMMENTS: readonly NewComment[] = [
  { id: 'UgzCards0000000000004AaABAg', authorId: GRACE, text: 'Cards!\nI had a drawer of them.' },
  { id: 'UgzSteam0000000000004AaABAg', authorId: CHARLES, text: 'I wish it ran by <steam>.' },
  {
    id: 'UgzThanks000000000004AaABAg',
    authorId: ADA,
    text: 'Thank you all for watching.',
    imageUrl: 'https://yt3.googleusercontent.com/thanks',
  },
  { id: 'UgzWords0000000000004AaABAg', authorId: ADA, text: 'Words, at last.', videoId: 'graceCobol1' },
];

const REPLIES = 6;
const WITH_REPLY = 'UgzCards0000000000004AaABAg';

function addSeededTalk(world: World): void {
  const replies = Array.from({ length: REPLIES }, (_, index) => ({
    id: `${WITH_REPLY}.reply${index + 1}0000000000000000`,
    parentId: WITH_REPLY,
    authorId: index % 2 === 0 ? ADA : GRACE,
    text: `Reply ${index + 1}`,
  }));
  [...COMMENTS, ...replies].forEach((comment, index) => {
    world.comments.set(comment.id, {
      videoId: 'adaEngine01',
      publishedAt: TALK_DAY + index * 60_000,
      likes: index % 3,
      ...comment,
    });
  });
  addSubscriptions(world);
  addCaptions(world);
  world.ratings.set(ADA, new Map([['graceCobol1', 'like']]));
}

function addSubscriptions({ subscriptions }: World): void {
  const pairs = [
    [ADA, GRACE],
    [ADA, SOCIETY],
    [GRACE, ADA],
    [CHARLES, ADA],
    [CHARLES, SOCIETY],
  ] as const;
  pairs.forEach(([subscriberId, channelId], index) => {
    const id = Buffer.from(`${subscriberId} to ${channelId}`).toString('base64url');
    subscriptions.set(id, { id, subscriberId, channelId, publishedAt: TALK_DAY + index * DAY });
  });
}

function addCaptions({ captions }: World): void {
  const tracks = [
    { language: 'en', name: '', trackKind: 'ASR' },
    { language: 'en', name: 'By hand', trackKind: 'standard' },
    { language: 'de', name: '', trackKind: 'standard' },
  ] as const;
  for (const track of tracks) {
    const id = Buffer.from(`caption ${track.language} ${track.trackKind}`).toString('base64url');
    captions.set(id, {
      id,
      videoId: 'adaEngine01',
      isDraft: false,
      isAutoSynced: false,
      updatedAt: TALK_DAY,
      text: `1\n00:00:00,000 --> 00:00:02,500\nThe engine (${track.language})\n\n2\n00:00:02,500 --> 00:00:05,000\nweaves.\n`,
      ...track,
    });
  }
}
