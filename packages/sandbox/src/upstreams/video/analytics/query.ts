import { scopeInsufficient } from '../../../google/api-error.js';
import { scopeUrl } from '../../../google/scopes.js';
import { parseDate } from '../../../zoned-time.js';
import type { Figures } from '../figures.js';
import { badArgument, denied, type PlatformCall } from '../platform-call.js';
import { DIMENSIONS, METRICS } from './columns.js';
import { findGroup } from './groups.js';

export interface Query {
  readonly dimensions: readonly string[];
  readonly metrics: readonly string[];
  /** Midnight of the first day of the report, in epoch milliseconds. `to` is midnight of the last day. */
  readonly from: number;
  readonly to: number;
  readonly sort: readonly { readonly column: number; readonly sign: 1 | -1 }[];
  readonly offset: number;
  readonly size: number;
  /** Exchange rate from US dollars to the currency of the response. */
  readonly rate: number;
  isWanted(figures: Figures): boolean;
}

const unsupported = () => badArgument('The query is not supported');
const MONETARY = 'yt-analytics-monetary.readonly';
const RATES: Readonly<Record<string, number>> = { USD: 1, EUR: 0.9, GBP: 0.8, JPY: 150 };

export function readQuery(call: PlatformCall): Query {
  const { parameters } = call;
  const ids = required(call, 'ids');
  checkIds(call, ids);
  const metrics = names(required(call, 'metrics'), METRICS, 'metrics');
  const dimensions = names(parameters.text('dimensions') ?? '', DIMENSIONS, 'dimensions');
  const [from, to] = [date(call, 'startDate'), date(call, 'endDate')];
  if (to < from) throw badArgument('The end date lies before the start date.');
  if (!call.hasScope(MONETARY) && metrics.some((name) => METRICS[name]?.isMoney)) throw moneyClosed();
  const rate = RATES[parameters.text('currency') ?? 'USD'];
  if (rate === undefined) throw badArgument('Unknown currency.');
  const size = parameters.integer('maxResults', Number.POSITIVE_INFINITY);
  const filters = readTerms(parameters.text('filters') ?? '');
  const combined = { dimensions, metrics, filters: filters.map(({ name }) => name), size };
  const [sort, isForOwner] = [parameters.text('sort') ?? '', ids.startsWith('contentOwner==')];
  if (!isSupported({ ...combined, sort, isForOwner })) throw unsupported();
  return {
    dimensions,
    metrics,
    from,
    to,
    sort: readSort(parameters.text('sort'), [...dimensions, ...metrics]),
    offset: parameters.integer('startIndex', 1) - 1,
    size,
    rate,
    isWanted: readFilters(call, filters),
  };
}

const moneyClosed = () =>
  scopeInsufficient({
    service: 'youtubeanalytics.googleapis.com',
    method: 'youtube.analytics.v2.ReportsService.QueryReports',
    scopes: [scopeUrl(MONETARY)],
  });

function required({ parameters }: PlatformCall, name: string): string {
  const value = parameters.text(name);
  if (value === undefined || value === '') throw badArgument(`Required parameter: ${name}`);
  return value;
}

function date(call: PlatformCall, name: string): number {
  const day = parseDate(required(call, name));
  if (day === undefined) throw badArgument(`Invalid value for parameter ${name}: a date is needed.`);
  return day;
}

function checkIds({ me }: PlatformCall, ids: string): void {
  const own = ['channel==MINE', `channel==${me.id}`, `contentOwner==${me.contentOwner}`];
  if (own.includes(ids)) return;
  throw /^(channel|contentOwner)==./.test(ids) ? denied() : badArgument('Invalid value for parameter ids.');
}

function names(list: string, known: Readonly<Record<string, unknown>>, parameter: string): string[] {
  const given = list.split(',').filter((name) => name !== '');
  const unknown = given.find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return given;
  throw badArgument(`Unknown identifier (${unknown}) given in field parameters.${parameter}.`);
}

function readSort(sort: string | undefined, columns: readonly string[]): Query['sort'] {
  return (sort?.split(',') ?? []).map((term) => {
    const sign = term.startsWith('-') ? -1 : 1;
    const column = columns.indexOf(sign === -1 ? term.slice(1) : term);
    if (column < 0) throw badArgument(`Unknown identifier (${term}) given in field parameters.sort.`);
    return { column, sign };
  });
}

interface Term {
  readonly name: string;
  readonly values: readonly string[];
}

function readTerms(filters: string): Term[] {
  const terms = filters.split(';').filter((term) => term !== '');
  return terms.map((term) => {
    const [, name = '', values = ''] = /^(\w+)==(.+)$/.exec(term) ?? [];
    return { name, values: values.split(',') };
  });
}

function readFilters(call: PlatformCall, terms: readonly Term[]): Query['isWanted'] {
  const checks = terms.map((term) => readFilter(call, term));
  return (figures) => checks.every((isMatch) => isMatch(figures));
}

function readFilter(call: PlatformCall, { name, values }: Term): Query['isWanted'] {
  if (name === 'group') {
    const members = findGroup(call, values[0]).items.map(({ resource }) => resource.id);
    return ({ video }) => members.includes(video.id);
  }
  return (figures) => values.includes(DIMENSIONS[name]?.of(figures) ?? '');
}

interface Combination {
  readonly dimensions: readonly string[];
  readonly filters: readonly string[];
  readonly metrics?: readonly string[];
  /** Maximum number of rows, for top lists. These queries must sort in descending order. */
  readonly most?: number;
  readonly isForOwners?: true;
}

const FILTERS = ['country', 'video', 'group'];
const DEVICES = { filters: FILTERS, metrics: ['views', 'estimatedMinutesWatched'] };

const COMBINATIONS: readonly Combination[] = [
  { dimensions: [], filters: FILTERS },
  { dimensions: ['day'], filters: FILTERS },
  { dimensions: ['month'], filters: FILTERS },
  { dimensions: ['country'], filters: ['video', 'group'] },
  { dimensions: ['deviceType'], ...DEVICES },
  { dimensions: ['day', 'deviceType'], ...DEVICES },
  { dimensions: ['video'], filters: ['country', 'group'], most: 200 },
  { dimensions: ['channel'], filters: FILTERS, isForOwners: true },
];

interface Combined {
  readonly dimensions: readonly string[];
  readonly metrics: readonly string[];
  readonly filters: readonly string[];
  readonly sort: string;
  readonly size: number;
  readonly isForOwner: boolean;
}

function isSupported({ dimensions, metrics, filters, sort, size, isForOwner }: Combined): boolean {
  const requested = dimensions.toSorted().join();
  const combination = COMBINATIONS.find((one) => one.dimensions.toSorted().join() === requested);
  if (combination === undefined || (combination.isForOwners && !isForOwner)) return false;
  if (filters.includes('group') && filters.includes('video')) return false;
  return (
    filters.every((name) => combination.filters.includes(name)) &&
    metrics.every((name) => combination.metrics?.includes(name) ?? true) &&
    (combination.most === undefined || (sort.startsWith('-') && size <= combination.most))
  );
}
