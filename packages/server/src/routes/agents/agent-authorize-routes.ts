import cookie from '@fastify/cookie';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { AgentSignIns, ReturnVisit } from '../../grants/agent-sign-ins.js';
import type { Log } from '../../log/log.js';
import { createBrowserCookie, keepBrowser } from '../connect/browser-cookie.js';
import { checkSameOrigin } from '../connect/check-same-origin.js';
import { PAGE_HEADERS } from '../connect/page-frame.js';
import { createPressOnce } from '../connect/press-once.js';
import { createProblem, languageOf } from '../connect/problem.js';
import { takeForms } from '../form.js';
import { consentPage } from './consent-page.js';

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
    const returningOf = (request: FastifyRequest<ConsentRoute>): ReturnVisit => ({
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
