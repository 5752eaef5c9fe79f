import type { Figures } from '../figures.js';

interface Dimension {
  of(figures: Figures): string;
}

interface Metric {
  readonly dataType: 'INTEGER' | 'FLOAT';
  readonly isMoney?: boolean;
  of(figures: readonly Figures[]): number;
}

export const DIMENSIONS: Readonly<Record<string, Dimension>> = {
  day: { of: ({ day }) => day },
  month: { of: ({ day }) => day.slice(0, 7) },
  video: { of: ({ video }) => video.id },
  channel: { of: ({ video }) => video.channelId },
  country: { of: ({ country }) => country },
  deviceType: { of: ({ deviceType }) => deviceType },
};

type Summed =
  | 'views'
  | 'likes'
  | 'dislikes'
  | 'comments'
  | 'shares'
  | 'minutes'
  | 'subscribersGained'
  | 'subscribersLost'
  | 'revenue';

const sum = (figures: readonly Figures[], name: Summed): number =>
  figures.reduce((total, one) => total + one[name], 0);

const total = (name: Summed): Metric => ({ dataType: 'INTEGER', of: (figures) => sum(figures, name) });
const money = (share: number): Metric => ({
  dataType: 'FLOAT',
  isMoney: true,
  of: (figures) => sum(figures, 'revenue') * share,
});

export const METRICS: Readonly<Record<string, Metric>> = {
  views: total('views'),
  likes: total('likes'),
  dislikes: total('dislikes'),
  comments: total('comments'),
  shares: total('shares'),
  estimatedMinutesWatched: total('minutes'),
  averageViewDuration: {
    dataType: 'INTEGER',
    of: (figures) => Math.round((sum(figures, 'minutes') * 60) / sum(figures, 'views')),
  },
  averageViewPercentage: {
    dataType: 'FLOAT',
    of(figures) {
      const whole = figures.reduce((seconds, { views, video }) => seconds + views * video.seconds, 0);
      return rounded((sum(figures, 'minutes') * 6000) / whole);
    },
  },
  subscribersGained: total('subscribersGained'),
  subscribersLost: total('subscribersLost'),
  estimatedRevenue: money(1),
  estimatedAdRevenue: money(0.8),
};

export const rounded = (value: number): number => Math.round(value * 1000) / 1000;
