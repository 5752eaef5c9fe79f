const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const LONG_DAY = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day';
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const TIME = '\\d{2}:\\d{2}:\\d{2}';
/** The three forms of an HTTP date (RFC 9110, section 5.6.7). `Date.parse` would read many other texts as dates too. */
const HTTP_DATES = [
  `${DAY}, \\d{2} ${MONTH} \\d{4} ${TIME} GMT`,
  `${LONG_DAY}, \\d{2}-${MONTH}-\\d{2} ${TIME} GMT`,
  `${DAY} ${MONTH} [ \\d]\\d ${TIME} \\d{4}`,
].map((form) => new RegExp(`^${form}$`));

/** Reads an HTTP date in epoch milliseconds; NaN for any other text. */
function parseHttpDate(text: string): number {
  if (!HTTP_DATES.some((form) => form.test(text))) return Number.NaN;
  return Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
}

/**
 * Seconds of a Retry-After header, which may be an HTTP date. Some upstreams send fractions of a second. `undefined` when the header is
 * absent or anything else: the caller then waits by its own backoff.
 */
export function parseRetryAfter(
  value: string | readonly string[] | undefined,
  now: Date,
): number | undefined {
  const text = (typeof value === 'string' ? value : value?.[0])?.trim() ?? '';
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(text)) return Math.ceil(Number(text));
  const time = parseHttpDate(text);
  return Number.isNaN(time) ? undefined : Math.max(0, Math.ceil((time - now.getTime()) / 1000));
}
