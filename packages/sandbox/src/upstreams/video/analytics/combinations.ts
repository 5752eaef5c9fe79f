/** What a report goes by, and what can be asked of it. */
interface Combination {
  readonly dimensions: readonly string[];
  readonly filters: readonly string[];
  /** Absent where it takes all. */
  readonly metrics?: readonly string[];
  /** Only the highest: sorted downwards, and so many at most. */
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

/** The parts of a query that have to go together. */
export interface Combined {
  readonly dimensions: readonly string[];
  readonly metrics: readonly string[];
  readonly filters: readonly string[];
  readonly sort: string;
  readonly size: number;
  readonly isForOwner: boolean;
}

/** Whether there is such a report. */
export function isSupported({ dimensions, metrics, filters, sort, size, isForOwner }: Combined): boolean {
  const asked = dimensions.toSorted().join();
  const found = COMBINATIONS.find((one) => one.dimensions.toSorted().join() === asked);
  if (found === undefined || (found.isForOwners && !isForOwner)) return false;
  if (filters.includes('group') && filters.includes('video')) return false;
  return (
    filters.every((name) => found.filters.includes(name)) &&
    metrics.every((name) => found.metrics?.includes(name) ?? true) &&
    (found.most === undefined || (sort.startsWith('-') && size <= found.most))
  );
}
