import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { isColor, textColorOn } from '../../applications/application-color.js';
import type { AccountParties } from '../../authorization/account-parties.js';
import type { Language } from './connect-texts.js';
import { type Html, html } from './html.js';

const STYLE: Html = {
  html: `
:root { color-scheme: light dark; --ink: #17201e; --soft: #566561; --ground: #f6f7f6; --card: #fff; --line: #dde2e0; --edge: #8a9793; --accent: #0f6b5c; --on-accent: #fff; --good: #1b7a3d; --bad: #b3261e; --tile: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7edeb; --soft: #9aaaa5; --ground: #111514; --card: #181d1c; --line: #2b3331; --edge: #64736f; --accent: #5fd0b8; --on-accent: #06231d; --good: #6fd08c; --bad: #ff8f86; --tile: #eef0ef; } }
* { box-sizing: border-box; margin: 0; padding: 0; }
html { -webkit-text-size-adjust: 100%; }
body { min-height: 100vh; display: grid; place-items: center; padding: 1.25rem 1rem; background: var(--ground); color: var(--ink); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { width: 100%; max-width: 28rem; padding: 2rem 1.75rem; background: var(--card); border: 1px solid var(--line); border-radius: 1.1rem; overflow-wrap: anywhere; }
h1, .lead { text-wrap: balance; }
h1 { font-size: 1.4rem; line-height: 1.3; letter-spacing: -.01em; text-align: center; margin-bottom: .75rem; }
h2 { font-size: .95rem; line-height: 1.4; margin: 1.5rem 0 .5rem; }
p + p { margin-top: .75rem; }
bdi { font-weight: 600; }
.lead { text-align: center; }
ul, ol { list-style: none; display: grid; gap: .5rem; }
li { position: relative; padding-left: 1.9rem; }
li bdi { font-weight: 500; }
ul li::before { content: ""; position: absolute; left: .45rem; top: .4em; width: .35rem; height: .65rem; border: solid var(--good); border-width: 0 2px 2px 0; transform: rotate(45deg); }
ol { counter-reset: step; }
ol li { counter-increment: step; }
ol li::before { content: counter(step); position: absolute; left: 0; top: .1em; width: 1.3rem; height: 1.3rem; border-radius: 50%; background: var(--ground); color: var(--soft); font-size: .78rem; font-weight: 600; line-height: 1.3rem; text-align: center; }
.pair { display: flex; align-items: center; justify-content: center; gap: .6rem; margin-bottom: 1.25rem; }
.tile { display: grid; place-items: center; width: 3.5rem; height: 3.5rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--tile); color: #0f6b5c; font-size: 1.4rem; font-weight: 650; overflow: hidden; }
.tile img { display: block; width: 2.1rem; height: 2.1rem; object-fit: contain; }
.sign { width: 5rem; height: 2rem; fill: none; stroke: var(--line); stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.sign .on { stroke: var(--accent); }
.sign .soft { stroke: var(--soft); }
.sign .good { stroke: var(--good); }
.sign .bad { stroke: var(--bad); }
.account { margin: .75rem 0; text-align: center; color: var(--soft); }
.account bdi { color: var(--ink); }
.address { user-select: all; }
.wrong { margin: .75rem 0; padding: .75rem .9rem; border: 1px solid var(--bad); border-radius: .75rem; color: var(--bad); }
.choice { display: grid; grid-template-columns: auto 1fr; gap: .7rem; align-items: start; padding: .35rem 0; margin: 0; color: inherit; font-size: 1rem; cursor: pointer; }
.choice input { width: 1.2rem; height: 1.2rem; margin-top: .15rem; accent-color: var(--accent); }
.choice small { display: block; color: var(--soft); }
.caution { margin: 1.5rem 0 1.25rem; padding: .75rem .9rem; border-radius: .75rem; background: var(--ground); font-size: .9rem; line-height: 1.5; }
.call-summary { margin: 1.25rem 0; padding: .9rem 1rem; border-left: 3px solid var(--accent); background: var(--ground); border-radius: 0 .75rem .75rem 0; }
pre { max-height: 16rem; overflow: auto; margin-top: .5rem; padding: .75rem; background: var(--ground); border-radius: .5rem; font: .8rem/1.5 ui-monospace, monospace; white-space: pre-wrap; }
input:not([type=checkbox]), textarea { display: block; width: 100%; margin: .35rem 0 .4rem; padding: .6rem .75rem; border: 1px solid var(--edge); border-radius: .75rem; background: none; color: inherit; font: inherit; resize: vertical; }
label { display: block; margin-top: .9rem; color: var(--soft); font-size: .85rem; }
form { display: contents; }
.actions { display: grid; gap: .5rem; margin: 1rem -1.75rem 0; padding: .75rem 1.75rem; background: var(--card); }
@media (min-height: 26rem) { .actions { position: sticky; bottom: 0; } html { scroll-padding-bottom: 9rem; } }
.act { margin-top: 1.5rem; }
button, .act a { display: block; width: 100%; min-height: 3rem; padding: .7rem 1rem; border: 1px solid var(--edge); border-radius: .75rem; background: none; color: inherit; font: inherit; line-height: 1.5; text-align: center; text-decoration: none; cursor: pointer; }
button bdi { font-weight: inherit; }
button[value=allow] { background: var(--main, var(--accent)); border-color: var(--main, var(--accent)); color: var(--on-main, var(--on-accent)); font-weight: 600; }
button:hover, .act a:hover { border-color: var(--ink); }
button[value=allow]:hover { border-color: var(--ink); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: .3rem; }
button:focus-visible, .act a:focus-visible { border-radius: .75rem; }
footer { margin-top: .75rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .8rem; }
footer code { font: .95em ui-monospace, monospace; }
summary { cursor: pointer; margin-top: .5rem; }
@media (max-width: 26rem) { body { padding: 0; place-items: stretch; background: var(--card); } main { border: 0; border-radius: 0; padding: 1.75rem 1.25rem; } .actions { margin-inline: -1.25rem; padding-inline: 1.25rem; } }
`,
};
/**
 * Script of the last page of an authorization link that was opened in a pop-up. It reports the outcome to the page that
 * opened the pop-up. The browser delivers the message only to the registered origin.
 */
const SCRIPT: Html = {
  html: "const { origin, outcome } = document.currentScript.dataset; window.opener?.postMessage({ type: 'svc.authorization_link', outcome }, origin);",
};

const hashOf = ({ html: text }: Html): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

// The color is six hexadecimal digits, because application-color.ts refuses everything else.
const colorStyle = (color: string): Html => ({
  html: `:root { --main: ${color}; --on-main: ${textColorOn(color)}; }`,
});

interface Policy {
  readonly style: string;
  readonly script?: string;
}

const policyOf = ({ style, script }: Policy): string =>
  [
    "default-src 'none'",
    `style-src ${style}`,
    ...(script === undefined ? [] : [`script-src ${script}`]),
    'img-src data:',
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const STYLE_HASH = hashOf(STYLE);
const SCRIPT_HASH = hashOf(SCRIPT);

/**
 * Headers of every page. They forbid caching, referrers, frames and scripts. Only the page's own style and inline
 * images load.
 */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'content-security-policy': policyOf({ style: STYLE_HASH }),
  'x-content-type-options': 'nosniff',
  vary: 'Accept-Language',
} as const;

/**
 * Parts of a page that differ between applications: its color, and the script that reports the outcome to the opening
 * window. The Content-Security-Policy allows both by their hashes.
 */
export interface PageExtras {
  readonly parties: Pick<AccountParties, 'applicationColor' | 'display'> | undefined;
  /**
   * Outcome of the authorization link, which the page reports to the window that opened it. Absent on a page that is
   * not the end of a link.
   */
  readonly outcome?: string;
}

function colorOf({ parties }: PageExtras): string | null {
  const color = parties?.applicationColor ?? null;
  return color !== null && isColor(color) ? color : null;
}

const openerOf = ({ parties, outcome }: PageExtras): string | null =>
  outcome === undefined ? null : (parties?.display?.openerOrigin ?? null);

function reportOf(extras: PageExtras): Html {
  const origin = openerOf(extras);
  if (origin === null) return html``;
  return html`<script data-origin="${origin}" data-outcome="${extras.outcome ?? ''}">${SCRIPT}</script>`;
}

/**
 * Sends an HTML page with a Content-Security-Policy for exactly the inline style and script that `extras` add. The page
 * must be built with the same `extras`.
 */
export function sendPage(reply: FastifyReply, page: string, extras: PageExtras): FastifyReply {
  const color = colorOf(extras);
  const policy = policyOf({
    style: color === null ? STYLE_HASH : `${STYLE_HASH} ${hashOf(colorStyle(color))}`,
    ...(openerOf(extras) !== null && { script: SCRIPT_HASH }),
  });
  return reply.header('content-security-policy', policy).send(page);
}

export interface Page extends PageExtras {
  readonly language: Language;
  readonly title: string;
  readonly content: Html;
}

export function frame({ language, title, content, ...extras }: Page): string {
  const color = colorOf(extras);
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${STYLE}</style>
${color === null ? html`` : html`<style>${colorStyle(color)}</style>`}
</head>
<body>
<main>
${content}
</main>
${reportOf(extras)}
</body>
</html>
`.html;
}
