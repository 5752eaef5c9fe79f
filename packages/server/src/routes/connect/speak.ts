import type { AccountParties } from '../../authorization/account-parties.js';
import { drawPair, type State } from './connect-drawing.js';
import { accountTexts, type Language, type Text } from './connect-texts.js';
import { type Html, html } from './html.js';
import { frame } from './page-frame.js';

/** Values for the placeholders of a text, by name. */
type Names = Readonly<Record<string, string>>;

const NAME = /\{(\w+)\}/;

// Splits a text at its placeholders. `split` with a capturing group puts the placeholder names at odd indexes.
const partsOf = (text: string) => text.split(NAME).map((part, index) => ({ isName: index % 2 === 1, part }));

/** Fills the placeholders without markup, because the HTML element `<title>` allows only plain text. */
const fillPlain = (text: Text, language: Language, names: Names): string =>
  partsOf(text[language])
    .map(({ isName, part }) => (isName ? (names[part] ?? '') : part))
    .join('');

// `<bdi>` isolates a name from the sentence, because a name may contain right-to-left characters.
const toName = (name: string): Html => html`<bdi>${name}</bdi>`;

const fillText = (text: Text, language: Language, names: Names): Html =>
  html`${partsOf(text[language]).map(({ isName, part }) => (isName ? toName(names[part] ?? '') : html`${part}`))}`;

const namesOf = ({ applicationName, connectorTitle, identifier, connectedAs }: AccountParties): Names => ({
  application: applicationName,
  service: connectorTitle,
  identifier,
  account: connectedAs ?? '',
});

/**
 * Returns functions that render texts and pages in one language. Names of application, connector and user are filled in
 * if they are known.
 */
export function speak(language: Language, parties: AccountParties | undefined) {
  const names = parties ? namesOf(parties) : {};
  const say = (text: Text, more: Names = {}): Html => fillText(text, language, { ...names, ...more });
  return {
    say,
    /** Names the account at the upstream, if it is known. */
    account: (): Html =>
      parties?.connectedAs === undefined
        ? html``
        : html`<p class="account">${say(accountTexts.connectedAs)}</p>`,
    /**
     * Builds a page. `outcome`: result of the authorization link, which the page reports to the window that opened it.
     */
    page: (state: State, title: Text, content: Html, outcome?: string): string =>
      frame({
        language,
        parties,
        ...(outcome !== undefined && { outcome }),
        title: fillPlain(title, language, names),
        content: html`${drawPair(state, parties)}
<h1>${say(title)}</h1>
${content}`,
      }),
  };
}

export type Say = ReturnType<typeof speak>['say'];
