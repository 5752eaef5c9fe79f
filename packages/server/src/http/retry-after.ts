const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const LONG_DAY = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day';
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const TIME = '\\d{2}:\\d{2}:\\d{2}';
/**
 * Patterns of the three HTTP date formats (RFC 9110, section 5.6.7). `Date.parse` alone would accept many texts that
 * are no HTTP date.
 */
const HTTP_DATES = [
  `${DAY}, \\d{2} ${MONTH} \\d{4} ${TIME} GMT`,
  `${LONG_DAY}, \\d{2}-${MONTH}-\\d{2} ${TIME} GMT`,
  `${DAY} ${MONTH} [ \\d]\\d ${TIME} \\d{4}`,
].map((form) => new RegExp(`^${form}$`));

/** Converts an HTTP date to epoch milliseconds; NaN for any other text. */
function parseHttpDate(text: string): number {
  if (!HTTP_DATES.some((form) => form.test(text))) return Number.NaN;
  const time = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  // Date.parse reads 31 February as 3 March.
  const isDay = Number(/\d{1,2}/.exec(text)?.[0]) === new Date(time).getUTCDate();
  return isDay ? time : Number.NaN;
}

/** Longest wait that a Retry-After header can request, in seconds: about 31 years. */
const MAX_SECONDS = 999_999_999;

/**
 * Converts a Retry-After header to seconds. The header may contain a date, and some upstreams send fractions. Returns
 * `undefined` for an absent or invalid header; the caller then uses its own backoff.
 */
export function parseRetryAfter(
  value: string | readonly string[] | undefined,
  now: Date,
): number | undefined {
  const text = (typeof value === 'string' ? value : value?.[0])?.trim() ?? '';
  const isSeconds = /^\d+(?:\.\d+)?$/.test(text);
  const seconds = isSeconds ? Number(text) : (parseHttpDate(text) - now.getTime()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.min(MAX_SECONDS, Math.ceil(seconds)));
}
