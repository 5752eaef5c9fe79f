import cookie from '@fastify/cookie';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { AgentSignIns, Returning } from '../../grants/agent-sign-ins.js';
import type { Consent, ReachedConnector } from '../../grants/ask.js';
import type { Log } from '../../log/log.js';
import { createBrowserCookie, keepBrowser } from '../connect/browser-cookie.js';
import { checkSameOrigin } from '../connect/check-same-origin.js';
import type { Language } from '../connect/connect-texts.js';
import { type Html, html } from '../connect/html.js';
import { PAGE_HEADERS } from '../connect/page-frame.js';
import { createPressOnce } from '../connect/press-once.js';
import { createProblem, languageOf } from '../connect/problem.js';
import { type Say, speak } from '../connect/speak.js';
import { takeForms } from '../form.js';
import { consentTexts } from './consent-texts.js';

export interface AgentAuthorizeParts {
  readonly agentSignIns: AgentSignIns;
  /** What users' browsers see, without a slash at the end. */
  readonly environmentUrl: string;
  readonly log: Pick<Log, 'fault'>;
}

interface ConsentRoute {
  readonly Params: { readonly applicationId: string; readonly token: string };
  readonly Body: { readonly decision?: string };
}

const hidden = { hide: true };
const CALLBACK = '/agents/:applicationId/callback';
const CONSENT = '/agents/:applicationId/consent/:token';

function sayReached(say: Say, { title: connector, reading, changing }: ReachedConnector): Html {
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
function consentPage(language: Language, consent: Consent): string {
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

/** What the browser of an MCP client's user sees: the way to the application's sign-in, and the consent page. */
export const agentAuthorizeRoutes =
  ({ agentSignIns, environmentUrl, log }: AgentAuthorizeParts): FastifyPluginAsync =>
  async (app) => {
    if (!app.hasReplyDecorator('setCookie')) await app.register(cookie);
    app.setErrorHandler(createProblem(log, CALLBACK));
    app.addHook('onRequest', async (_request, reply) => {
      reply.headers(PAGE_HEADERS);
    });
    takeForms(app);
    const browserCookie = createBrowserCookie(environmentUrl);
    const pressOnce = createPressOnce();
    const returningOf = (request: FastifyRequest<ConsentRoute>): Returning => ({
      ...request.params,
      browser: browserCookie.read(request),
    });

    app.get<{ Params: { readonly applicationId: string } }>(
      '/agents/:applicationId/authorize',
      // A HEAD request, as link previews send it, must not begin anything.
      { schema: hidden, exposeHeadRoute: false },
      async (request, reply) => {
        const query = new URL(request.raw.url ?? '', environmentUrl).searchParams;
        const browser = keepBrowser(browserCookie, request, reply);
        const { redirectTo } = await agentSignIns.begin(request.params.applicationId, query, browser);
        return reply.redirect(redirectTo, 303);
      },
    );

    app.get<{ Params: { readonly applicationId: string } }>(
      CALLBACK,
      { schema: hidden, exposeHeadRoute: false },
      async (request, reply) => {
        const callback = new URL(request.raw.url ?? '', environmentUrl).searchParams;
        const { applicationId } = request.params;
        const browser = browserCookie.read(request);
        const { redirectTo } = await agentSignIns.complete({ applicationId, callback, browser });
        return reply.redirect(redirectTo, 303);
      },
    );

    app.get<ConsentRoute>(CONSENT, { schema: hidden, exposeHeadRoute: false }, async (request, reply) =>
      reply.send(consentPage(languageOf(request), await agentSignIns.ask(returningOf(request)))),
    );

    app.post<ConsentRoute>(CONSENT, { schema: hidden }, async (request, reply) => {
      checkSameOrigin(request, 'other_site_decided');
      const isAllowed = request.body?.decision === 'allow';
      const returning = returningOf(request);
      const { applicationId, token, browser = '' } = returning;
      const { redirectTo } = await pressOnce([applicationId, token, browser, String(isAllowed)], () =>
        agentSignIns.decide(returning, isAllowed),
      );
      return reply.redirect(redirectTo, 303);
    });
  };
