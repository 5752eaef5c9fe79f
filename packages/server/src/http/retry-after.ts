/** The seconds of a Retry-After header, which may also be a date; `undefined` when there is none to be understood. */
export function parseRetryAfter(
  value: string | readonly string[] | undefined,
  now: Date,
): number | undefined {
  const text = (typeof value === 'string' ? value : value?.[0])?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  // Some count in parts of a second. Read as a date, such a number is one that has passed, and nobody would wait.
  const seconds = Number(text);
  if (!Number.isNaN(seconds)) return seconds > 0 && seconds < 1e9 ? Math.ceil(seconds) : undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : Math.max(0, Math.ceil((time - now.getTime()) / 1000));
}
