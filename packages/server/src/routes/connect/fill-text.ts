import type { Language, Text } from './connect-texts.js';
import { type Html, html } from './html.js';

/** What stands in the place of {names}. */
export type Names = Readonly<Record<string, string>>;

const NAME = /\{(\w+)\}/;

// The odd parts of a text that is split at its names are the names.
const partsOf = (text: string) => text.split(NAME).map((part, index) => ({ isName: index % 2 === 1, part }));

/** The text alone, as a title takes it. */
export const fillPlain = (text: Text, language: Language, names: Names): string =>
  partsOf(text[language])
    .map(({ isName, part }) => (isName ? (names[part] ?? '') : part))
    .join('');

// bdi keeps a name with right-to-left characters from turning the sentence around it.
const toName = (name: string): Html => html`<bdi>${name}</bdi>`;

/** The text with its names apart from it. */
export const fillText = (text: Text, language: Language, names: Names): Html =>
  html`${partsOf(text[language]).map(({ isName, part }) => (isName ? toName(names[part] ?? '') : html`${part}`))}`;
