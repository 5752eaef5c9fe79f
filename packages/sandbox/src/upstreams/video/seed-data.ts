import { DAY } from '../../zoned-time.js';
import type { Channel, Fields, Privacy, Video } from './world.js';

const START = Date.UTC(2026, 0, 5, 9);

export const ADA = channelId('adaLovelace');
export const GRACE = channelId('graceHopper');
export const CHARLES = channelId('charlesBabbage');
export const SOCIETY = channelId('royalSociety');

function channelId(name: string): string {
  return `UC${name.padEnd(22, '0')}`;
}

export const CHANNELS: readonly Channel[] = [
  {
    id: ADA,
    personId: 'ada',
    title: 'Ada Lovelace',
    description: 'Notes on engines that weave algebra',
    handle: '@AdaLovelace',
    username: 'countess',
    country: 'GB',
    publishedAt: START,
    subscribers: 1840,
    showsSubscriptions: false,
    contentOwner: 'adaContentOwner0000001',
    hasMemberships: true,
  },
  {
    id: GRACE,
    personId: 'grace',
    title: 'Grace Hopper',
    description: 'Compilers, and what a nanosecond looks like',
    handle: '@GraceHopper',
    country: 'US',
    publishedAt: START + DAY,
    subscribers: 1906,
    showsSubscriptions: false,
  },
  {
    id: CHARLES,
    title: 'Charles Babbage',
    description: 'Engines',
    handle: '@CharlesBabbage',
    country: 'GB',
    publishedAt: START + 2 * DAY,
    subscribers: 91,
    showsSubscriptions: true,
  },
  {
    id: SOCIETY,
    title: 'Royal Society',
    description: 'Lectures',
    handle: '@RoyalSociety',
    country: 'GB',
    publishedAt: START + 3 * DAY,
    subscribers: 1660,
    showsSubscriptions: false,
  },
];

type NewVideo = Pick<Video, 'id' | 'channelId' | 'seconds' | 'views'> &
  Partial<Pick<Video, 'takesComments' | 'takesRatings' | 'wasPublished' | 'localizations'>> & {
    readonly snippet: Fields;
    readonly privacy?: Privacy;
    readonly status?: Fields;
  };

/** Seeded videos in order of publication, one day apart. */
export const VIDEOS: readonly NewVideo[] = [
  {
    id: 'adaEngine01',
    channelId: ADA,
    seconds: 900,
    views: 4200,
    snippet: {
      title: 'How the Analytical Engine works',
      description: 'Mill, store and cards.',
      tags: ['engine', 'cards', 'history of computing'],
      categoryId: '28',
      defaultLanguage: 'en',
      defaultAudioLanguage: 'en-GB',
    },
    localizations: { de: { title: 'Wie die Analytische Maschine arbeitet', description: '' } },
  },
  {
    id: 'adaNotes_02',
    channelId: ADA,
    seconds: 200,
    views: 1500,
    snippet: {
      title: 'Bernoulli numbers by engine',
      description: 'Note G.',
      tags: ['numbers'],
      categoryId: '27',
    },
  },
  {
    id: 'adaLoom__03',
    channelId: ADA,
    seconds: 1500,
    views: 60,
    privacy: 'unlisted',
    takesComments: false,
    snippet: { title: 'The loom', description: 'Leaves and flowers.', categoryId: '22' },
  },
  {
    id: 'adaDraft_04',
    channelId: ADA,
    seconds: 600,
    views: 0,
    privacy: 'private',
    wasPublished: false,
    snippet: { title: 'Draft', description: 'Not yet.', tags: ['draft'], categoryId: '22' },
    status: {
      license: 'creativeCommon',
      embeddable: false,
      publicStatsViewable: false,
      selfDeclaredMadeForKids: false,
    },
  },
  {
    id: 'graceCobol1',
    channelId: GRACE,
    seconds: 1300,
    views: 9100,
    snippet: {
      title: 'A compiler, explained',
      description: 'Why words.',
      tags: ['compiler'],
      categoryId: '27',
    },
  },
  {
    id: 'graceBug_02',
    channelId: GRACE,
    seconds: 150,
    views: 700,
    takesRatings: false,
    snippet: { title: 'The first bug', description: 'A moth in a relay.', categoryId: '28' },
  },
  {
    id: 'graceHide03',
    channelId: GRACE,
    seconds: 30,
    views: 3,
    privacy: 'private',
    snippet: { title: 'For my eyes only', description: '', categoryId: '22' },
  },
  {
    id: 'babbageDif1',
    channelId: CHARLES,
    seconds: 2400,
    views: 310,
    snippet: { title: 'The difference engine', description: 'By steam.', categoryId: '28' },
  },
  {
    id: 'societyLec1',
    channelId: SOCIETY,
    seconds: 3723,
    views: 12,
    snippet: { title: 'A lecture on engines', description: 'Recorded live.', categoryId: '27' },
  },
];

export const FIRST_DAY = START;
