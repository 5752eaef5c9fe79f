import type { AccountParties } from '../../authorization/account-parties.js';
import { type Html, html } from './html.js';

/**
 * State of the connection, which the consent page draws between the logos of application and upstream. `requested`:
 * waits for the user. `connected`: succeeded. `apart`: denied or expired. `failed`: an error.
 */
export type State = 'requested' | 'connected' | 'apart' | 'failed';

const SIGNS: Readonly<Record<State, Html>> = {
  requested: html`<path class="on" stroke-width="4" stroke-dasharray="0.1 12" d="M4 16h72"/>`,
  connected: html`<path d="M4 16h20M56 16h20"/><circle class="good" cx="40" cy="16" r="13"/><path class="good" d="m34 16.5 4.2 4.2 8-8.6"/>`,
  apart: html`<path d="M4 16h20M56 16h20"/><circle class="soft" cx="40" cy="16" r="13"/><path class="soft" d="M34.5 16h11"/>`,
  failed: html`<path d="M4 16h20M56 16h20"/><circle class="bad" cx="40" cy="16" r="13"/><path class="bad" d="M40 10v7.5m0 4.4v.1"/>`,
};

const sign = (state: State): Html => html`<svg class="sign" viewBox="0 0 80 32">${SIGNS[state]}</svg>`;

// An SVG inside `<img>` cannot run scripts or load other files, so a logo from outside is safe.
const image = (url: string): Html => html`<img src="${url}" alt="">`;

const toDataUrl = (svg: string): string => `data:image/svg+xml,${encodeURIComponent(svg)}`;

const initialOf = (name: string): string => [...name.trim()][0]?.toUpperCase() ?? '';

/**
 * Draws application and upstream with their state. The drawing is hidden from screen readers, because the text says the
 * same.
 */
export function drawPair(state: State, parties: AccountParties | undefined): Html {
  if (!parties) return html`<div class="pair" aria-hidden="true">${sign(state)}</div>`;
  const { applicationName, applicationLogo, connectorLogo, connectorTitle } = parties;
  const application = applicationLogo === null ? initialOf(applicationName) : image(applicationLogo);
  const connector = connectorLogo ? image(toDataUrl(connectorLogo)) : initialOf(connectorTitle);
  return html`<div class="pair" aria-hidden="true">
<span class="tile">${application}</span>${sign(state)}<span class="tile">${connector}</span>
</div>`;
}
