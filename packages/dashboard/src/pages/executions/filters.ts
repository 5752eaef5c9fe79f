/** Time ranges of the filter. The URL contains `value`. */
export const RANGES = [
  { value: '1h', title: 'Last hour', seconds: 3600 },
  { value: '24h', title: 'Last 24 hours', seconds: 86_400 },
  { value: '7d', title: 'Last 7 days', seconds: 7 * 86_400 },
  { value: '30d', title: 'Last 30 days', seconds: 30 * 86_400 },
] as const;
export const CUSTOM_RANGE = { value: 'own', title: 'Custom range' } as const;
const FIRST_RANGE = '24h';

export const OUTCOMES = [
  { value: '', title: 'All' },
  { value: 'failed', title: 'Failed' },
  ...[200, 400, 403, 404, 409, 422, 424, 429, 500, 502, 503, 504].map((status) => ({
    value: String(status),
    title: `Status ${status}`,
  })),
] as const;

/** Names of the filter parameters in the URL. */
export const FILTERS = [
  'connectionName',
  'toolName',
  'identifier',
  'accountId',
  'requestId',
  'traceId',
  'outcome',
  'range',
  'since',
  'until',
  'order',
] as const;

export type Filters = Readonly<Record<(typeof FILTERS)[number], string>>;

export const readFilters = (filters: Filters): Filters => ({
  ...filters,
  range: filters.range || FIRST_RANGE,
});

/** Parses a time from the URL. Returns `undefined` if the time is invalid. */
function instantOf(text: string): Date | undefined {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

/** Returns the selected time range. If `to` is absent, the range ends now. */
export function timesOf(
  { range, since, until }: Filters,
  now: Date,
): { readonly from: Date; readonly to?: Date } {
  const { seconds } = RANGES.find(({ value }) => value === range) ?? RANGES[1];
  const to = instantOf(until);
  if (range !== CUSTOM_RANGE.value) return { from: new Date(now.getTime() - seconds * 1000) };
  const from = instantOf(since) ?? new Date((to ?? now).getTime() - seconds * 1000);
  return { from, ...(to && { to }) };
}

/** Returns the query parameters that the list and the statistics have in common. */
function factsOf({ connectionName, toolName, identifier, accountId, requestId, traceId, outcome }: Filters) {
  return {
    ...(connectionName && { connectionName }),
    ...(toolName && { toolName }),
    ...(identifier && { identifier }),
    ...(accountId && { accountId }),
    ...(requestId && { requestId }),
    ...(traceId && { traceId }),
    ...(outcome === 'failed' && { failed: true }),
    ...(/^\d{3}$/.test(outcome) && { status: Number(outcome) }),
  };
}

export function listQuery(filters: Filters, now: Date) {
  const { from, to } = timesOf(filters, now);
  return {
    ...factsOf(filters),
    ...(filters.order === 'oldest' && { order: 'oldest' as const }),
    since: from.toISOString(),
    ...(to && { until: to.toISOString() }),
  };
}

export function statisticsQuery(filters: Filters, now: Date) {
  const { from, to = now } = timesOf(filters, now);
  return { ...factsOf(filters), from: from.toISOString(), to: to.toISOString() };
}

/** Returns the filters for a time range that was selected in a chart. */
export const ownRange = (from: Date, to: Date): Pick<Filters, 'range' | 'since' | 'until'> => ({
  range: CUSTOM_RANGE.value,
  since: from.toISOString(),
  until: to.toISOString(),
});
