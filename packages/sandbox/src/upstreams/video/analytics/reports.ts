import type { Outcome } from '../../../google/method.js';
import { rules } from '../../../google/parameter-rules.js';
import { DAY } from '../../../zoned-time.js';
import { type Figures, figuresOf } from '../figures.js';
import { type PlatformCall, platformMethods } from '../platform-call.js';
import { ANALYTICS } from '../scopes.js';
import type { Fields } from '../world.js';
import { DIMENSIONS, METRICS, rounded } from './columns.js';
import { type Query, readQuery } from './query.js';

export const queryMethods = platformMethods(
  'youtube.analytics.v2.ReportsService',
  { path: '/reports', scopes: ANALYTICS },
  {
    QueryReports: {
      verb: 'GET',
      parameters: {
        ...rules('text', 'ids startDate endDate metrics dimensions filters sort currency'),
        maxResults: { min: 1 },
        startIndex: { min: 1 },
        includeHistoricalChannelData: 'flag',
      },
      handle: queryReports,
    },
  },
);

/** Delay until the figures of a day are available, in milliseconds. */
const LAG = 2 * DAY;

type Row = (string | number)[];

function queryReports(call: PlatformCall): Outcome {
  const { world, me } = call;
  const query = readQuery(call);
  const videos = [...world.videos.values()].filter(({ channelId }) => channelId === me.id);
  const to = Math.min(query.to, world.now() - LAG);
  const figures = figuresOf(videos, { from: query.from, to }).filter(query.isWanted);
  const rows = sorted(tableOf(figures, query), query.sort).slice(query.offset, query.offset + query.size);
  return {
    body: {
      kind: 'youtubeAnalytics#resultTable',
      columnHeaders: headersOf(query),
      ...(rows.length === 0 ? {} : { rows }),
    },
  };
}

function headersOf({ dimensions, metrics }: Query): Fields[] {
  return [
    ...dimensions.map((name) => ({ name, columnType: 'DIMENSION', dataType: 'STRING' })),
    ...metrics.map((name) => ({ name, columnType: 'METRIC', dataType: METRICS[name]?.dataType })),
  ];
}

function tableOf(figures: readonly Figures[], { dimensions, metrics, rate }: Query): Row[] {
  const groups = new Map<string, { readonly key: string[]; readonly figures: Figures[] }>();
  for (const one of figures) {
    const key = dimensions.map((name) => DIMENSIONS[name]?.of(one) ?? '');
    const group = groups.get(key.join(' ')) ?? { key, figures: [] };
    group.figures.push(one);
    groups.set(key.join(' '), group);
  }
  return [...groups.values()]
    .sort((a, b) => compare(a.key.join(' '), b.key.join(' ')))
    .map((group) => [...group.key, ...metrics.map((name) => cellOf(name, group.figures, { rate }))]);
}

function cellOf(name: string, figures: readonly Figures[], { rate }: Pick<Query, 'rate'>): number {
  const metric = METRICS[name];
  const value = metric?.of(figures) ?? 0;
  return metric?.isMoney ? rounded(value * rate) : value;
}

function sorted(rows: Row[], sort: Query['sort']): Row[] {
  return rows.sort((a, b) => {
    for (const { column, sign } of sort) {
      const order = compare(a[column] ?? '', b[column] ?? '');
      if (order !== 0) return order * sign;
    }
    return 0;
  });
}

function compare(a: string | number, b: string | number): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
