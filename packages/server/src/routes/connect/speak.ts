import type { Approval } from '../../authorization/approval.js';
import { drawPair, type State } from './connect-drawing.js';
import type { Language, Text } from './connect-texts.js';
import { fillPlain, fillText, type Names } from './fill-text.js';
import { type Html, html } from './html.js';
import { frame } from './page-frame.js';

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
