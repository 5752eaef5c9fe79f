import { DAY, formatDate } from '../../zoned-time.js';
import type { Video } from './world.js';

/** Statistics of one video for one day, country and device type. */
export interface Figures {
  readonly video: Video;
  readonly day: string;
  readonly country: string;
  readonly deviceType: string;
  readonly views: number;
  readonly likes: number;
  readonly dislikes: number;
  readonly comments: number;
  readonly shares: number;
  readonly minutes: number;
  readonly subscribersGained: number;
  readonly subscribersLost: number;
  /** Revenue in US dollars. */
  readonly revenue: number;
}

const COUNTRIES = ['GB', 'US', 'FR'] as const;
const DEVICES = ['DESKTOP', 'MOBILE', 'TV'] as const;

interface Days {
  /** Midnight of the first day, in epoch milliseconds. */
  readonly from: number;
  /** Midnight of the last day (inclusive), in epoch milliseconds. */
  readonly to: number;
}

/** Computes statistics of videos. The numbers are derived from the day, so repeated requests return equal values. */
export function figuresOf(videos: readonly Video[], { from, to }: Days): Figures[] {
  return videos.flatMap((video) => {
    const first = Math.max(from, Math.floor(video.publishedAt / DAY) * DAY);
    const figures: Figures[] = [];
    for (let day = first; day <= to; day += DAY)
      for (const country of COUNTRIES)
        for (const deviceType of DEVICES)
          figures.push(figuresOn(formatDate(day), { video, country, deviceType }));
    return figures.filter(({ views }) => views > 0);
  });
}

function figuresOn(
  day: string,
  { video, country, deviceType }: Pick<Figures, 'video' | 'country' | 'deviceType'>,
): Figures {
  const chance = dice(`${video.id} ${day} ${country} ${deviceType}`);
  const views = chance(Math.ceil(video.views / 100) + 1);
  const likes = chance(Math.floor(views / 4) + 1);
  return {
    video,
    day,
    country,
    deviceType,
    views,
    likes,
    dislikes: chance(Math.floor(views / 20) + 1),
    comments: chance(Math.floor(views / 8) + 1),
    shares: chance(Math.floor(views / 6) + 1),
    minutes: Math.floor((views * video.seconds * (20 + chance(60))) / 6000),
    subscribersGained: chance(Math.floor(views / 10) + 1),
    subscribersLost: chance(Math.floor(views / 30) + 1),
    revenue: (views * chance(500)) / 100_000,
  };
}

function dice(seed: string): (below: number) => number {
  let state = 2_166_136_261;
  for (const character of seed) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16_777_619);
  return (below) => {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_519) + 1;
    return Math.floor(((state >>> 0) / 2 ** 32) * below);
  };
}
