import type { AccountParties } from '../../authorization/account-parties.js';
import { drawPair, type State } from './connect-drawing.js';
import type { Language, Text } from './connect-texts.js';
import { fillPlain, fillText, type Names } from './fill-text.js';
import { type Html, html } from './html.js';
import { frame } from './page-frame.js';

const namesOf = ({ applicationName, connectorTitle, identifier }: AccountParties): Names => ({
  application: applicationName,
  service: connectorTitle,
  identifier,
});

/** Texts and frame of a page in one language, with the names of the parties if they are known. */
export function speak(language: Language, parties: AccountParties | undefined) {
  const names = parties ? namesOf(parties) : {};
  const say = (text: Text, more: Names = {}): Html => fillText(text, language, { ...names, ...more });
  return {
    say,
    page: (state: State, title: Text, content: Html): string =>
      frame({
        language,
        title: fillPlain(title, language, names),
        content: html`${drawPair(state, parties)}
<h1>${say(title)}</h1>
${content}`,
      }),
  };
}

export type Say = ReturnType<typeof speak>['say'];
