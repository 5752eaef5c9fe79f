import { CONNECTED, type LinkResult } from '../../authorization/link-results.js';
import type { State } from './connect-drawing.js';
import { connectTexts, type Language, smallTexts } from './connect-texts.js';
import { deniedText, resultTexts } from './ending-texts.js';
import { html } from './html.js';
import { pageTime } from './page-time.js';
import { permissionItems } from './permission-items.js';
import { speak } from './speak.js';

const STATES: Readonly<Record<LinkResult['state'], State>> = {
  connected: 'connected',
  ended: 'apart',
  verifying: 'requested',
  open: 'requested',
};

/**
 * Returns the outcome that the page reports by `postMessage` to the window that opened it. The page of an account that
 * is not connected reports nothing.
 */
export const outcomeOf = (state: LinkResult['state']): string | undefined =>
  state === CONNECTED ? CONNECTED : undefined;

/**
 * Builds the page of an authorization link that was already used: the account is connected, its access has ended, or
 * the consent is not finished.
 */
export function resultPage(language: Language, { state, at, parties, denied }: LinkResult): string {
  const { say, page, account } = speak(language, parties);
  const { title, what, next } = resultTexts[state];
  const leftOut = html`<p class="lead">${say(deniedText)}</p>
${permissionItems(denied, say, language)}`;
  const again = html`<p class="act"><a href="">${say(smallTexts.checkAgain)}</a></p>`;
  const takeBack = html`<footer>${say(connectTexts.takeBack)}</footer>`;
  return page(
    STATES[state],
    title,
    html`<p class="lead">${say(what, { time: pageTime(at, language) })}</p>
${state === 'open' ? html`` : account()}
${denied.length === 0 ? html`` : leftOut}
<p class="lead">${say(next)}</p>
${state === 'open' ? again : html``}
${state === CONNECTED || state === 'verifying' ? takeBack : html``}`,
    outcomeOf(state),
  );
}
