import type { GrantRequest, UsableConnector } from '../../grants/grant-request.js';
import type { Language } from '../connect/connect-texts.js';
import { type Html, html } from '../connect/html.js';
import { type Say, speak } from '../connect/speak.js';
import { consentTexts } from './consent-texts.js';

function sayReached(say: Say, { title: connector, reading, changing }: UsableConnector): Html {
  const names = { connector, reading: String(reading), changing: String(changing) };
  if (changing === 0) return say(consentTexts.readsOnly, names);
  return say(reading === 0 ? consentTexts.changesOnly : consentTexts.both, names);
}

/** Where the browser goes: the client chose its own name, but not whose address that is. */
function sayBack(say: Say, redirectUri: string): Html {
  const { protocol, host } = new URL(redirectUri);
  return protocol === 'https:'
    ? say(consentTexts.backToSite, { place: host })
    : say(consentTexts.backToDevice);
}

/** Which client, which application and which tools: what a user agrees to. */
export function consentPage(language: Language, consent: GrantRequest): string {
  const { clientName, connectors, redirectUri, ...about } = consent;
  const { say, page } = speak(language, { ...about, connectorTitle: clientName, connectorLogo: undefined });
  const items = connectors.map((reached) => html`<li>${sayReached(say, reached)}</li>\n`);
  const list =
    items.length === 0
      ? html`<p class="lead">${say(consentTexts.nothing)}</p>`
      : html`<h2>${say(consentTexts.reached)}</h2>
<ul>
${items}</ul>`;
  return page(
    'asked',
    consentTexts.title,
    html`<p class="lead">${say(consentTexts.question)}</p>
${list}
<p class="caution">${say(consentTexts.caution)} ${sayBack(say, redirectUri)}</p>
<form method="post">
<button name="decision" value="allow">${say(consentTexts.allow)}</button>
<button name="decision" value="deny">${say(consentTexts.deny)}</button>
</form>
<footer>${say(consentTexts.takeBack)}</footer>`,
  );
}
