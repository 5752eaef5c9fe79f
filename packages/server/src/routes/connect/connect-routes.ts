import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { toConsentError } from '../../authorization/account-parties.js';
import type { Authorize } from '../../authorization/authorize.js';
import { CANCELLED } from '../../authorization/consent-errors.js';
import { OTHER_IDENTIFIER_PAGE, otherIdentifier } from '../../authorization/verify-consent.js';
import { ServiceError } from '../../errors.js';
import type { Log } from '../../log/log.js';
import { takeForms } from '../form.js';
import type { HostCookie } from '../host-cookie.js';
import { APPROVAL, type ApproveParts, addApprovePage } from './approve-routes.js';
import { createBrowserCookie, ensureBrowser } from './browser-cookie.js';
import { checkSameOrigin } from './check-same-origin.js';
import { cancelledPage, connectPage } from './connect-pages.js';
import { readResult, resultOf } from './form-result.js';
import { isInAppBrowser } from './in-app-browser.js';
import { PAGE_HEADERS, sendPage } from './page-frame.js';
import { createPressOnce } from './press-once.js';
import { createProblem, languageOf, noteFailure } from './problem.js';
import { outcomeOf, resultPage } from './result-page.js';

interface ConnectParts extends ApproveParts {
  readonly authorize: Authorize;
  readonly log: Pick<Log, 'fault'>;
}

interface ConnectRoute {
  readonly Params: { readonly token: string };
  readonly Querystring: { readonly after?: unknown };
  readonly Body: Readonly<Record<string, string>> & { readonly decision?: string; readonly key?: string };
}

const CREDENTIAL = 'credential.';

/** Reads the secondary credentials of the form, which are optional. */
const credentialsIn = (form: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(form)
      .filter(([name, value]) => name.startsWith(CREDENTIAL) && value !== '')
      .map(([name, value]) => [name.slice(CREDENTIAL.length), value]),
  );

const CALLBACK = '/sso/v1/oauth/:connectionId/callback';
const RESULT = '/connect/result/:linkId';

const hidden = { hide: true };

const LINK = '/connect/:token';

/** Adds the page that asks for the consent. It also shows the result of its form, which is in the query. */
function addQuestion(
  app: FastifyInstance,
  { authorize, environmentUrl }: ConnectParts,
  browserCookie: HostCookie,
): void {
  app.get<ConnectRoute>(LINK, { schema: hidden }, async (request, reply) => {
    const question = await authorize.describe(request.params.token, browserCookie.read(request));
    if ('redirectTo' in question) return reply.redirect(question.redirectTo, 303);
    ensureBrowser(browserCookie, request, reply);
    const language = languageOf(request, question);
    const { isCancelled, problem: shown, failure } = readResult(request.query.after);
    if (failure) throw toConsentError(failure, question);
    if (isCancelled && !question.isBegun)
      return sendPage(reply, cancelledPage(language, question), { parties: question, outcome: CANCELLED });
    const isRefused = question.refusesInAppBrowsers && isInAppBrowser(request.headers['user-agent']);
    const linkToCopy = isRefused ? `${environmentUrl}/connect/${request.params.token}` : undefined;
    const problem = question.keyForm && shown;
    if (problem) reply.code(400);
    return sendPage(reply, connectPage(language, question, { linkToCopy, problem }), { parties: question });
  });
}

type FormRequest = FastifyRequest<ConnectRoute>;

/**
 * Adds the form of the page. Its response is a redirect, because a browser shows an error page of its own when a user
 * goes back to the response of a form. Failures that support staff look up by the request id of the form are no
 * redirects.
 */
function addForm(
  app: FastifyInstance,
  { authorize, environmentUrl }: ConnectParts,
  browserCookie: HostCookie,
): void {
  const pressOnce = createPressOnce();

  const pageAfter = (token: string, result: string): string =>
    `${environmentUrl}/connect/${encodeURIComponent(token)}${result && `?after=${result}`}`;

  async function submit({ params: { token }, body }: FormRequest, browser: string): Promise<string> {
    if (body?.decision !== 'allow') {
      const ending = await authorize.cancel(token, browser);
      return ending?.redirectTo ?? pageAfter(token, CANCELLED);
    }
    const { key } = body;
    if (key === undefined)
      return (await pressOnce([browser, token], () => authorize.begin(token, browser))).redirectTo;
    const entered = await authorize.enterKey(token, browser, { key, credentials: credentialsIn(body) });
    return 'redirectTo' in entered ? entered.redirectTo : pageAfter(token, entered.problem);
  }

  async function accept(request: FormRequest): Promise<string> {
    checkSameOrigin(request, { environmentUrl, reason: 'other_site' });
    const browser = browserCookie.read(request);
    if (browser !== undefined) return submit(request, browser);
    throw new ServiceError(
      'forbidden',
      'The browser sent no cookie, so no account was connected. Allow cookies, open the link again and continue.',
      { reason: 'no_cookie' },
    );
  }

  app.post<ConnectRoute>(LINK, { schema: hidden }, async (request, reply) => {
    const next = await accept(request).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
      const result = resultOf(error);
      // The log line of the request has the error code from this header.
      reply.header('svc-error', error.code);
      noteFailure(request, error);
      return pageAfter(request.params.token, result);
    });
    return reply.redirect(next, 303);
  });
}

/**
 * Adds the page that tells a user to sign in as the expected user. An application that detects another user after the
 * consent redirects the browser to this page.
 */
function addEndings(app: FastifyInstance, { environmentUrl }: ConnectParts): void {
  app.get(OTHER_IDENTIFIER_PAGE, { schema: hidden }, async () => {
    throw otherIdentifier(environmentUrl);
  });
}

function addCallback(
  app: FastifyInstance,
  { authorize, environmentUrl }: ConnectParts,
  { read }: HostCookie,
): void {
  app.get<{ Params: { connectionId: string } }>(
    CALLBACK,
    // HEAD is turned off, because link previews send HEAD requests. They must not consume the OAuth flow.
    { schema: hidden, exposeHeadRoute: false },
    async (request, reply) => {
      const { redirectTo } = await authorize.complete({
        connectionId: request.params.connectionId,
        parameters: new URL(request.raw.url ?? '', environmentUrl).searchParams,
        browser: read(request),
      });
      return reply.redirect(redirectTo, 303);
    },
  );
}

/** Adds the page that says how a link ended. The browser that used the link can open it again at any time. */
function addResult(app: FastifyInstance, { authorize }: ConnectParts, browserCookie: HostCookie): void {
  app.get<{ Params: { linkId: string } }>(RESULT, { schema: hidden }, async (request, reply) => {
    const browser = browserCookie.read(request);
    if (browser !== undefined) browserCookie.set(reply, browser);
    const result = await authorize.describeResult(request.params.linkId, browser);
    const { parties, state } = result;
    const outcome = outcomeOf(state);
    return sendPage(reply, resultPage(languageOf(request, parties), result), {
      parties,
      ...(outcome !== undefined && { outcome }),
    });
  });
}

/**
 * Adds the connect page, the OAuth callback to which upstreams redirect, and the approval page. Errors in this scope
 * are HTML pages.
 */
export function addConnectRoutes(app: FastifyInstance, parts: ConnectParts): void {
  const browserCookie = createBrowserCookie(parts.environmentUrl);
  app.register(async (scope) => {
    await scope.register(cookie);
    const routes = { callback: CALLBACK, result: RESULT, link: LINK, approval: APPROVAL };
    scope.setErrorHandler(createProblem(parts.log, routes));
    scope.addHook('onRequest', async (_request, reply) => {
      reply.headers(PAGE_HEADERS);
    });
    takeForms(scope);
    addQuestion(scope, parts, browserCookie);
    addForm(scope, parts, browserCookie);
    addCallback(scope, parts, browserCookie);
    addResult(scope, parts, browserCookie);
    addEndings(scope, parts);
    addApprovePage(scope, parts, languageOf);
  });
}
