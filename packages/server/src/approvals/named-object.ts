import { cutText } from '@svc/catalog';
import { hideSecretWords } from '../text/hide-private.js';
import { printableLine } from '../text/printable.js';
import type { FoundObject } from '../tools/find-object.js';

/**
 * Object at the upstream, such as a calendar event, that a tool call refers to by id. It is shown to the person who
 * approves the call.
 */
export interface NamedObject {
  /** Name of the tool input that contains the object's id, such as `event_id`. */
  readonly input: string;
  /** Title of the object in one line. Secrets are hidden, and control characters are escaped. */
  readonly title: string;
  /** Date or time of the object in ISO 8601. Absent if the object has none. */
  readonly date?: string;
}

/**
 * Maximum characters of an object's title in which secrets are searched and replaced. The rest of the title is cut off.
 */
const MAX_SEARCHED = 1000;
const MAX_TITLE_CHARACTERS = 120;
const MAX_ESCAPED_CHARACTERS = 2 * MAX_TITLE_CHARACTERS;

const TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;

/**
 * Returns an object's title for use inside a quoted sentence. Replaces secrets, line breaks and curly quotation marks.
 * Escapes characters that could change the direction of the text.
 */
function cleanTitle(title: string): string {
  const line = cutText(title, MAX_SEARCHED)
    .replace(/\s+/gu, ' ')
    .trim()
    .replaceAll(/[\u201c\u201d]/gu, '"');
  return cutText(printableLine(cutText(hideSecretWords(line), MAX_TITLE_CHARACTERS)), MAX_ESCAPED_CHARACTERS);
}

/**
 * Makes an object's title and date from the upstream safe to show to a person. Omits a date that is not in ISO 8601.
 */
export function toNamedObject(input: string, { title, date }: FoundObject): NamedObject {
  const isDate = date !== undefined && TIME.test(date) && !Number.isNaN(Date.parse(date));
  return { input, title: cleanTitle(title), ...(isDate && { date }) };
}

/** Describes an object as part of a sentence, such as `“Design review” (2026-12-01T09:00:00Z)`. */
export const describeObject = ({ title, date }: NamedObject): string =>
  date === undefined ? `“${title}”` : `“${title}” (${date})`;
