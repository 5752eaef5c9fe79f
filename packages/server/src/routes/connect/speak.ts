import type { Approval } from '../../authorization/approval.js';
import { drawPair, type State } from './connect-drawing.js';
import type { Language, Text } from './connect-texts.js';
import { type Html, html } from './html.js';
import { frame } from './page-frame.js';

/** Values of the {placeholders} of a text. */
type Names = Readonly<Record<string, string>>;

const NAME = /\{(\w+)\}/;

// Splitting at the placeholders puts them at odd indexes.
const partsOf = (text: string) => text.split(NAME).map((part, index) => ({ isName: index % 2 === 1, part }));

/** Plain text, for <title>. */
const fillPlain = (text: Text, language: Language, names: Names): string =>
  partsOf(text[language])
    .map(({ isName, part }) => (isName ? (names[part] ?? '') : part))
    .join('');

// <bdi> isolates names with right-to-left characters from the sentence.
const toName = (name: string): Html => html`<bdi>${name}</bdi>`;

const fillText = (text: Text, language: Language, names: Names): Html =>
  html`${partsOf(text[language]).map(({ isName, part }) => (isName ? toName(names[part] ?? '') : html`${part}`))}`;

const namesOf = ({ applicationName, connectorTitle, identifier }: Approval): Names => ({
  application: applicationName,
  service: connectorTitle,
  identifier,
});

/** What a page says with, in one language and about one approval, where that is known. */
export function speak(language: Language, approval: Approval | undefined) {
  const names = approval ? namesOf(approval) : {};
  const say = (text: Text, more: Names = {}): Html => fillText(text, language, { ...names, ...more });
  return {
    say,
    page: (state: State, title: Text, content: Html): string =>
      frame({
        language,
        title: fillPlain(title, language, names),
        content: html`${drawPair(state, approval)}
<h1>${say(title)}</h1>
${content}`,
      }),
  };
}

export type Say = ReturnType<typeof speak>['say'];
