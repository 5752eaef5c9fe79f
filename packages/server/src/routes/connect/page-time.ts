import type { Language } from './connect-texts.js';

const utcTime = (time: string | number, language: Language): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(
    new Date(time),
  );

/** Formats a time for a page. The page has no script that knows the user's time zone, so the time is in UTC. */
export const pageTime = (time: string | number, language: Language): string =>
  `${utcTime(time, language)} UTC`;

/** Date and time in ISO 8601 that fill the text between curly quotation marks or parentheses. */
const WHOLE_TIME =
  /(?<=[\u201c(])(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2})?(?=[\u201d)])/g;

/**
 * Formats the times in the sentence of an approval in words. A time without an offset is neither moved nor marked as
 * UTC. Changes only values that are a whole time, because a part of a title must appear as it is.
 */
export const timesInWords = (sentence: string, language: Language): string =>
  sentence.replace(WHOLE_TIME, (iso, local: string, offset?: string) => {
    if (Number.isNaN(Date.parse(iso))) return iso;
    return offset === undefined ? utcTime(`${local}Z`, language) : pageTime(iso, language);
  });
