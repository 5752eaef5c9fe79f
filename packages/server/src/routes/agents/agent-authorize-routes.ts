import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AgentSignIns, ReturnVisit } from '../../grants/agent-sign-ins.js';
import type { GrantRequest, UsableConnector } from '../../grants/grant-request.js';
import type { Log } from '../../log/log.js';
import { createBrowserCookie, ensureBrowser } from '../connect/browser-cookie.js';
import { checkSameOrigin } from '../connect/check-same-origin.js';
import type { Language } from '../connect/connect-texts.js';
import { type Html, html } from '../connect/html.js';
import { PAGE_HEADERS, sendPage } from '../connect/page-frame.js';
import { createPressOnce } from '../connect/press-once.js';
import { createProblem, languageOf } from '../connect/problem.js';
import { type Say, speak } from '../connect/speak.js';
import { takeForms } from '../form.js';
import { consentTexts } from './consent-texts.js';

interface ApplicationRoute {
  readonly Params: { readonly applicationId: string };
}

interface ConsentRoute {
  readonly Params: { readonly applicationId: string; readonly token: string };
  readonly Body: { readonly decision?: string };
}

const hidden = { hide: true };
const CALLBACK = '/agents/:applicationId/callback';
const CONSENT = '/agents/:applicationId/consent/:token';

function describeConnector(say: Say, { title: connector, reading, changing }: UsableConnector): Html {
  const names = { connector, reading: String(reading), changing: String(changing) };
  if (changing === 0) return say(consentTexts.readsOnly, names);
  return say(reading === 0 ? consentTexts.changesOnly : consentTexts.both, names);
}

/**
 * Tells the user the host of the MCP client's redirect URI. A client can choose any name, but it cannot choose who owns
 * the host.
 */
function describeReturn(say: Say, redirectUri: string): Html {
  const { protocol, host } = new URL(redirectUri);
  return protocol === 'https:'
    ? say(consentTexts.backToSite, { site: host })
    : say(consentTexts.backToDevice);
}

/**
 * Builds the consent page. It names the MCP client, the application, and the tools to which the user grants access.
 */
function consentPage(language: Language, consent: GrantRequest): string {
  const { clientName, isSelfRegistered, connectors, redirectUri, ...about } = consent;
  const { say, page } = speak(language, { ...about, connectorTitle: clientName, connectorLogo: undefined });
  const items = connectors.map((connector) => html`<li>${describeConnector(say, connector)}</li>\n`);
  const list =
    items.length === 0
      ? html`<p class="lead">${say(consentTexts.nothing)}</p>`
      : html`<h2>${say(consentTexts.permissions)}</h2>
<ul>
${items}</ul>`;
  return page(
    'requested',
    isSelfRegistered ? consentTexts.selfRegisteredTitle : consentTexts.title,
    html`<p class="lead">${say(isSelfRegistered ? consentTexts.selfRegisteredQuestion : consentTexts.question)}</p>
${list}
<p class="caution">${say(consentTexts.caution)} ${describeReturn(say, redirectUri)}</p>
<form method="post">
<div class="actions">
<button name="decision" value="allow">${say(consentTexts.allow)}</button>
<button name="decision" value="deny">${say(consentTexts.deny)}</button>
</div>
</form>
<footer>${say(consentTexts.takeBack)}</footer>`,
  );
}

interface AgentAuthorizeParts {
  readonly agentSignIns: AgentSignIns;
  /** Public URL of the service without a trailing slash. */
  readonly environmentUrl: string;
  readonly log: Pick<Log, 'fault'>;
}

/** Adds the pages for users of MCP clients: the redirect to the application's sign-in, and the consent page. */
export function addAgentAuthorizeRoutes(
  app: FastifyInstance,
  { agentSignIns, environmentUrl, log }: AgentAuthorizeParts,
): void {
  const browserCookie = createBrowserCookie(environmentUrl);
  const pressOnce = createPressOnce();
  const queryOf = ({ raw }: FastifyRequest) => new URL(raw.url ?? '', environmentUrl).searchParams;
  const returningOf = (request: FastifyRequest<ConsentRoute>): ReturnVisit => ({
    ...request.params,
    browser: browserCookie.read(request),
  });

  app.register(async (scope) => {
    await scope.register(cookie);
    scope.setErrorHandler(createProblem(log, { callback: CALLBACK }));
    scope.addHook('onRequest', async (_request, reply) => {
      reply.headers(PAGE_HEADERS);
    });
    takeForms(scope);

    // HEAD is turned off, because link previews send HEAD requests. They must not begin or complete a sign-in.
    const readOnce = { schema: hidden, exposeHeadRoute: false };

    scope.get<ApplicationRoute>('/agents/:applicationId/authorize', readOnce, async (request, reply) => {
      const browser = ensureBrowser(browserCookie, request, reply);
      const { redirectTo } = await agentSignIns.begin(
        request.params.applicationId,
        queryOf(request),
        browser,
      );
      return reply.redirect(redirectTo, 303);
    });

    scope.get<ApplicationRoute>(CALLBACK, readOnce, async (request, reply) => {
      const { applicationId } = request.params;
      const browser = browserCookie.read(request);
      const { redirectTo } = await agentSignIns.complete({
        applicationId,
        callback: queryOf(request),
        browser,
      });
      return reply.redirect(redirectTo, 303);
    });

    scope.get<ConsentRoute>(CONSENT, readOnce, async (request, reply) => {
      const consent = await agentSignIns.describe(returningOf(request));
      return sendPage(reply, consentPage(languageOf(request), consent), { parties: consent });
    });

    scope.post<ConsentRoute>(CONSENT, { schema: hidden }, async (request, reply) => {
      checkSameOrigin(request, { environmentUrl, reason: 'other_site_decided' });
      const isAllowed = request.body?.decision === 'allow';
      const returning = returningOf(request);
      const { applicationId, token, browser = '' } = returning;
      const { redirectTo } = await pressOnce([applicationId, token, browser, String(isAllowed)], () =>
        agentSignIns.decide(returning, isAllowed),
      );
      return reply.redirect(redirectTo, 303);
    });
  });
}
