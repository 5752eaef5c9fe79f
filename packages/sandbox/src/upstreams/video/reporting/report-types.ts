import type { Outcome } from '../../../google/method.js';
import { METRICS } from '../analytics/columns.js';
import type { Figures } from '../figures.js';
import { listed, PAGED, type PlatformCall, platformMethods } from '../platform-call.js';
import { REPORTING } from '../scopes.js';
import { timeOf } from '../world.js';

export interface ReportType {
  readonly id: string;
  readonly name: string;
  readonly deprecatedAt?: number;
  readonly isSystemManaged: boolean;
  /** Columns that identify a row, in addition to the day and the channel. */
  readonly keys: Readonly<Record<string, (figures: Figures) => string>>;
}

const video = ({ video: { id } }: Figures) => id;
const country = ({ country: code }: Figures) => code;
const device = ({ deviceType }: Figures) => deviceType;

export const REPORT_TYPES: readonly ReportType[] = [
  {
    id: 'channel_basic_a3',
    name: 'User activity',
    isSystemManaged: false,
    keys: { video_id: video, country_code: country },
  },
  {
    id: 'channel_device_os_a3',
    name: 'Device and OS',
    isSystemManaged: false,
    keys: { video_id: video, device_type: device },
  },
  {
    id: 'channel_combined_a3',
    name: 'Combined',
    isSystemManaged: false,
    keys: { video_id: video, country_code: country, device_type: device },
  },
  {
    id: 'channel_basic_a2',
    name: 'User activity (deprecated)',
    deprecatedAt: Date.UTC(2025, 5, 30),
    isSystemManaged: false,
    keys: { video_id: video, country_code: country },
  },
  {
    id: 'system_estimated_video_a1',
    name: 'Estimated activity of videos',
    isSystemManaged: true,
    keys: { video_id: video },
  },
];

export const NUMBERS: Readonly<Record<string, string>> = {
  views: 'views',
  comments: 'comments',
  likes: 'likes',
  dislikes: 'dislikes',
  shares: 'shares',
  watch_time_minutes: 'estimatedMinutesWatched',
  average_view_duration_seconds: 'averageViewDuration',
  subscribers_gained: 'subscribersGained',
  subscribers_lost: 'subscribersLost',
};

export const numberOf = (column: string, figures: readonly Figures[]): number =>
  METRICS[NUMBERS[column] ?? '']?.of(figures) ?? 0;

export const reportTypeMethods = platformMethods(
  'google.youtube.reporting.v1.ReportTypes',
  { path: '/reportTypes', scopes: REPORTING },
  { ListReportTypes: { parameters: { includeSystemManaged: 'flag', ...PAGED }, handle: listReportTypes } },
);

function listReportTypes(call: PlatformCall): Outcome {
  const all = call.parameters.flag('includeSystemManaged') === true;
  const types = REPORT_TYPES.filter(({ isSystemManaged }) => all || !isSystemManaged);
  return { body: listed(call, types.map(present), 'reportTypes') };
}

function present({ id, name, deprecatedAt, isSystemManaged }: ReportType) {
  return {
    id,
    name,
    ...(deprecatedAt === undefined ? {} : { deprecateTime: timeOf(deprecatedAt) }),
    ...(isSystemManaged ? { systemManaged: true } : {}),
  };
}
