import type { Person } from '../person.js';
import { escapeHtml, page } from './page.js';

export interface Consent {
  /** The page's own address, which the form is sent to. */
  action: string;
  clientName: string;
  serviceTitle: string;
  people: readonly Person[];
  /** Who is chosen already, from a hint of the application. */
  chosen: string;
  /** Scopes that the person may untick, with their explanation. */
  scopes: readonly (readonly [scope: string, explanation: string])[];
  /** Shown when the service has no scopes. */
  rights: readonly string[];
}

/** A plain form: it works without script and from the keyboard. */
export function consentPage(consent: Consent): string {
  const title = `${consent.clientName} wants to use your ${consent.serviceTitle}`;
  return page(
    title,
    `<h1>${escapeHtml(title)}</h1>
<form method="post" action="${escapeHtml(consent.action)}">
<fieldset><legend>Continue as</legend>
${consent.people.map((person) => choice(person, consent.chosen)).join('\n')}
</fieldset>
<fieldset><legend>It will be able to</legend>
${consent.scopes.map(scopeBox).join('\n')}${consent.rights.length > 0 ? rightsList(consent.rights) : ''}
</fieldset>
<div class="buttons">
<button type="submit" name="decision" value="deny">Deny</button>
<button type="submit" name="decision" value="allow" autofocus>Allow</button>
</div>
</form>`,
  );
}

function choice(person: Person, chosen: string): string {
  const checked = person.id === chosen ? ' checked' : '';
  return `<label><input type="radio" name="user" value="${person.id}"${checked}> ${escapeHtml(person.name)} <small>${escapeHtml(person.email)}</small></label>`;
}

function scopeBox([scope, explanation]: readonly [string, string]): string {
  const value = escapeHtml(scope);
  return `<label><input type="checkbox" name="scope" value="${value}" checked> <span>${escapeHtml(explanation)}<br><small>${value}</small></span></label>`;
}

function rightsList(rights: readonly string[]): string {
  return `<ul>${rights.map((right) => `<li>${escapeHtml(right)}</li>`).join('')}</ul>`;
}
