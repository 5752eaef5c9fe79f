import { cutText } from '@svc/catalog';
import { hideSecretWords } from '../text/hide-private.js';
import { printableLine } from '../text/printable.js';
import type { FoundObject } from '../tools/find-object.js';

/** Existing object that a call names by id, for the person who decides. */
export interface NamedObject {
  /** Input of the tool that contains the id. */
  readonly input: string;
  /** Title of the object in one line, without secrets and control characters. */
  readonly title: string;
  /** Date or time of the object in ISO 8601. Absent for objects without one. */
  readonly date?: string;
}

/** Length up to which secrets are searched, and up to which a title is shown. */
const MOST_SEARCHED = 1000;
const MOST_TITLE = 120;
const MOST_ESCAPED = 2 * MOST_TITLE;

const TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;

/** Returns the title without secrets, line breaks, quotation marks of a sentence and characters that reorder text. */
function cleanTitle(title: string): string {
  const line = cutText(title, MOST_SEARCHED)
    .replace(/\s+/gu, ' ')
    .trim()
    .replaceAll(/[\u201c\u201d]/gu, '"');
  return cutText(printableLine(cutText(hideSecretWords(line), MOST_TITLE)), MOST_ESCAPED);
}

/** Makes the title and date of an upstream safe to show. Leaves out a date that is not in ISO 8601. */
export function toNamedObject(input: string, { title, date }: FoundObject): NamedObject {
  const isDate = date !== undefined && TIME.test(date) && !Number.isNaN(Date.parse(date));
  return { input, title: cleanTitle(title), ...(isDate && { date }) };
}

/** Describes the object in a sentence, such as `“Design review” (2026-12-01T09:00:00Z)`. */
export const describeObject = ({ title, date }: NamedObject): string =>
  date === undefined ? `“${title}”` : `“${title}” (${date})`;
