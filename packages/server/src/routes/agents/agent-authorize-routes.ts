import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AgentSignIns, ReturnVisit } from '../../grants/agent-sign-ins.js';
import type { ConsentChoices } from '../../grants/consent-choices.js';
import type { GrantRequest, UsableService } from '../../grants/grant-request.js';
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
import { signInProblemTexts } from './sign-in-problem-texts.js';

interface ApplicationRoute {
  readonly Params: { readonly applicationId: string };
}

interface ConsentRoute {
  readonly Params: { readonly applicationId: string; readonly token: string };
  readonly Body: Readonly<Record<string, string>>;
}

const SERVICE = 'service.';
const CHANGES = 'changes';
const LATER = 'later';

const hidden = { hide: true };
const CALLBACK = '/agents/:applicationId/callback';
const CONSENT = '/agents/:applicationId/consent/:token';

const countTools = (count: number, language: Language): string =>
  (count === 1 ? consentTexts.oneTool : consentTexts.tools)[language].replace('{count}', String(count));

function describeService(say: Say, language: Language, service: UsableService): Html {
  const { title: connector, reading, changing, accounts } = service;
  const names = {
    connector,
    reading: countTools(reading, language),
    changing: countTools(changing, language),
  };
  const access = changing === 0 ? 'readsOnly' : reading === 0 ? 'changesOnly' : 'both';
  const account = accounts.length === 0 ? html`` : html`<small><bdi>${accounts.join(', ')}</bdi></small>`;
  return html`${say(consentTexts[access], names)}${account}`;
}

const choice = (name: string, text: Html): Html =>
  html`<label class="choice"><input type="checkbox" name="${name}" checked><span>${text}</span></label>\n`;

/** Lists the connected services with a checkbox each, so that the user can leave out single services and changes. */
function choicesOf(say: Say, language: Language, { services, unconnected }: GrantRequest): Html {
  const items = services.map((service) =>
    choice(`${SERVICE}${service.connectionName}`, describeService(say, language, service)),
  );
  const list =
    items.length === 0
      ? html`<p class="lead">${say(consentTexts.nothing)}</p>`
      : html`<h2>${say(consentTexts.permissions)}</h2>
<p>${say(consentTexts.leaveOut)}</p>
${items}`;
  const mayChange = services.some(({ changing }) => changing > 0);
  return html`<input type="hidden" name="choices" value="1">
${list}
${mayChange ? choice(CHANGES, say(consentTexts.changes)) : html`<input type="hidden" name="${CHANGES}" value="on">`}
${unconnected.length > 0 ? choice(LATER, say(consentTexts.later)) : html`<input type="hidden" name="${LATER}" value="on">`}`;
}

/** Reads the checkboxes of the form. Browsers send only the selected ones. */
const readChoices = (form: Readonly<Record<string, string>>): ConsentChoices => ({
  connections: Object.keys(form)
    .filter((name) => name.startsWith(SERVICE))
    .map((name) => name.slice(SERVICE.length)),
  includesLater: LATER in form,
  mayChange: CHANGES in form,
});

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
  const { clientName, isSelfRegistered, redirectUri, ...about } = consent;
  const { say, page } = speak(language, { ...about, connectorTitle: clientName, connectorLogo: undefined });
  return page(
    'requested',
    isSelfRegistered ? consentTexts.selfRegisteredTitle : consentTexts.title,
    html`<p class="lead">${say(isSelfRegistered ? consentTexts.selfRegisteredQuestion : consentTexts.question)}</p>
<form method="post">
${choicesOf(say, language, consent)}
<p class="caution">${say(consentTexts.caution)} ${describeReturn(say, redirectUri)}</p>
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
    scope.setErrorHandler(createProblem(log, { callback: CALLBACK, texts: signInProblemTexts }));
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
      const form = request.body ?? {};
      const isAllowed = form['decision'] === 'allow';
      const choices = 'choices' in form ? readChoices(form) : undefined;
      const returning = returningOf(request);
      const { applicationId, token, browser = '' } = returning;
      const { redirectTo } = await pressOnce([applicationId, token, browser, String(isAllowed)], () =>
        agentSignIns.decide(returning, isAllowed, choices),
      );
      return reply.redirect(redirectTo, 303);
    });
  });
}
