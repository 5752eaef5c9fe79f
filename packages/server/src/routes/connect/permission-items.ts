import type { Permission } from '../../authorization/permissions.js';
import { connectTexts, type Language } from './connect-texts.js';
import { type Html, html } from './html.js';
import type { Say } from './speak.js';

/** Lists permissions, each by the connector's sentence about it or by the name of its scope. */
export function permissionItems(permissions: readonly Permission[], say: Say, language: Language): Html {
  const items = permissions.map((permission) =>
    'scope' in permission
      ? html`<li>${say(connectTexts.scope, { scope: String(permission.scope) })}</li>\n`
      : html`<li>${permission[language] ?? permission.en}</li>\n`,
  );
  return html`<ul>
${items}</ul>`;
}
