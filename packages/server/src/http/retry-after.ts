const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const LONG_DAY = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day';
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const TIME = '\\d{2}:\\d{2}:\\d{2}';
/**
 * Patterns of the three HTTP date formats (RFC 9110, section 5.6.7). Without them, `Date.parse` would accept many texts
 * that are not HTTP dates.
 */
const HTTP_DATES = [
  `${DAY}, \\d{2} ${MONTH} \\d{4} ${TIME} GMT`,
  `${LONG_DAY}, \\d{2}-${MONTH}-\\d{2} ${TIME} GMT`,
  `${DAY} ${MONTH} [ \\d]\\d ${TIME} \\d{4}`,
].map((form) => new RegExp(`^${form}$`));

/** Converts an HTTP date to milliseconds since 1970. Returns NaN for any other text. */
function parseHttpDate(text: string): number {
  if (!HTTP_DATES.some((form) => form.test(text))) return Number.NaN;
  const time = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  // Compares the day of the month, because Date.parse reads 31 February as 3 March.
  const isDay = Number(/\d{1,2}/.exec(text)?.[0]) === new Date(time).getUTCDate();
  return isDay ? time : Number.NaN;
}

/** Longest wait in seconds that a Retry-After header can request: about 31 years. */
const MAX_SECONDS = 999_999_999;

/**
 * Converts the value of a Retry-After header to seconds. It may be a date or, from some upstreams, a fraction. Returns
 * `undefined` if the header is absent or invalid; the caller then uses its own backoff.
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
