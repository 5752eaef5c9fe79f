/** Seconds of a Retry-After header, which may be a date; `undefined` when it is absent or not understood. */
export function parseRetryAfter(
  value: string | readonly string[] | undefined,
  now: Date,
): number | undefined {
  const text = (typeof value === 'string' ? value : value?.[0])?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  // Some upstreams send fractions of a second, which Date.parse would read as a date in the past.
  const seconds = Number(text);
  if (!Number.isNaN(seconds)) return seconds > 0 && seconds < 1e9 ? Math.ceil(seconds) : undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : Math.max(0, Math.ceil((time - now.getTime()) / 1000));
}
