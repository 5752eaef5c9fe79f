import { createHash } from 'node:crypto';
import type { Approval } from '../authorization/approval.js';
import { type Html, html } from './html.js';

const STYLE: Html = {
  html: `
:root { color-scheme: light dark; --ink: #1a1d21; --soft: #5c6470; --ground: #f4f5f7; --card: #fff; --line: #e1e4e8; --accent: #2456d6; }
@media (prefers-color-scheme: dark) { :root { --ink: #eceef1; --soft: #a2a9b4; --ground: #14161a; --card: #1d2025; --line: #333842; --accent: #7ba0ff; } }
* { box-sizing: border-box; margin: 0; }
body { min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; background: var(--ground); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; }
main { width: 100%; max-width: 27rem; padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: .9rem; }
h1 { font-size: 1.35rem; line-height: 1.3; margin-bottom: .75rem; overflow-wrap: anywhere; }
p { margin-bottom: 1rem; overflow-wrap: anywhere; }
p:last-child { margin-bottom: 0; }
.soft { color: var(--soft); font-size: .92rem; }
form { display: flex; flex-direction: row-reverse; gap: .75rem; margin: 1.5rem 0; }
button { flex: 1; padding: .7rem 1rem; border: 1px solid var(--line); border-radius: .55rem; background: none; color: inherit; font: inherit; cursor: pointer; }
button[value=allow] { background: var(--accent); border-color: var(--accent); color: var(--card); font-weight: 600; }
button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`,
};
const STYLE_HASH = createHash('sha256').update(STYLE.html).digest('base64');

/** Of every page: nothing is cached, sent on, framed or run, and only our own style applies. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
} as const;

const page = (title: string, content: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`.html;

// bdi keeps a name with right-to-left characters from turning the sentence around it.
export const connectPage = ({ applicationName, connectorTitle, identifier }: Approval): string =>
  page(
    `Connect ${connectorTitle}`,
    html`<p><strong><bdi>${applicationName}</bdi></strong> asks for access to a <strong>${connectorTitle}</strong> account.
It will be linked to its user <strong><bdi>${identifier}</bdi></strong>.</p>
<form method="post">
<button name="decision" value="allow">Continue to ${connectorTitle}</button>
<button name="decision" value="deny">Cancel</button>
</form>
<p class="soft">Continue only if you came here from <bdi>${applicationName}</bdi> and <bdi>${identifier}</bdi> is you.
Whoever sent you this link will be able to use what you approve.</p>`,
  );

export const connectedPage = ({ applicationName, connectorTitle, identifier }: Approval): string =>
  page(
    `${connectorTitle} is connected`,
    html`<p><strong><bdi>${applicationName}</bdi></strong> can now use ${connectorTitle} for <strong><bdi>${identifier}</bdi></strong>.</p>
<p class="soft">You can close this window.</p>`,
  );

export const cancelledPage = (): string =>
  page(
    'Nothing was connected',
    html`<p>You cancelled, so no access was given.</p>
<p class="soft">You can close this window. The link stays usable until it expires.</p>`,
  );

export const problemPage = (message: string): string => page('This did not work', html`<p>${message}</p>`);
