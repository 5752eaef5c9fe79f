import type { Language } from './connect-texts.js';

/** Formats a time for a page. The page has no script that knows the user's time zone, so the time is in UTC. */
export const pageTime = (time: string | number, language: Language): string =>
  `${new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(new Date(time))} UTC`;
