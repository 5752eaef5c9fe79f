import { randomBytes } from 'node:crypto';
import cookie from '@fastify/cookie';
import type {
  FastifyError,
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
} from 'fastify';
import { RefusedApproval } from '../../authorization/approval.js';
import type { Authorize } from '../../authorization/authorize.js';
import { OTHER_IDENTIFIER_PAGE, otherIdentifier } from '../../authorization/verify-approval.js';
import { retryAfterOf, toServiceError } from '../../error-reply.js';
import { ServiceError } from '../../errors.js';
import type { Log } from '../../log.js';
import { takeForms } from '../form.js';
import { createHostCookie, type HostCookie } from '../host-cookie.js';
import { chooseLanguage } from './accept-language.js';
import { type ApproveParts, addApprovePage } from './approve.js';
import { checkSameOrigin } from './check-same-origin.js';
import { cancelledPage, connectedPage, connectPage, problemPage } from './connect-pages.js';
import { problemOf } from './connect-problems.js';
import { LANGUAGES, type Language } from './connect-texts.js';
import { PAGE_HEADERS } from './page-frame.js';

export interface ConnectParts extends ApproveParts {
  readonly authorize: Authorize;
  /** What users' browsers see. Over https the cookie is bound to the host. */
  readonly environmentUrl: string;
  readonly log: Pick<Log, 'fault'>;
}

interface ConnectRoute {
  readonly Params: { readonly token: string };
  readonly Body: { readonly decision?: string };
}

const CALLBACK = '/sso/v1/oauth/:connectionId/callback';
const COOKIE_LIFE_MS = 3_600_000;

const hidden = { hide: true };

/** Ties a flow to the browser that began it. The upstream's redirect brings it along. */
const createBrowserCookie = (environmentUrl: string): HostCookie =>
  createHostCookie(environmentUrl, {
    name: 'svc-browser',
    lifeMs: COOKIE_LIFE_MS,
    sameSite: 'lax',
    form: /^[\w-]{43}$/,
  });

const languageOf = ({ headers }: FastifyRequest): Language =>
  chooseLanguage(headers['accept-language'], LANGUAGES);

/** Answers with a page what elsewhere is answered with JSON. */
const createProblem =
  ({ log }: ConnectParts) =>
  (thrown: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { id: requestId, routeOptions } = request;
    const error = toServiceError(thrown);
    if (error.code === 'internal_error') {
      log.fault('unexpected error', error.cause ?? error, { requestId, route: routeOptions.url ?? '' });
    }
    const retryAfter = retryAfterOf(error);
    if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
    const failure = {
      name: problemOf(error, routeOptions.url === CALLBACK),
      approval: error instanceof RefusedApproval ? error.approval : undefined,
      requestId,
      message: error.message,
    };
    return reply
      .code(error.status)
      .headers({ ...PAGE_HEADERS, 'svc-error': error.code })
      .send(problemPage(languageOf(request), failure));
  };

function addConnectPage(app: FastifyInstance, { authorize }: ConnectParts, browserCookie: HostCookie): void {
  app.get<ConnectRoute>('/connect/:token', { schema: hidden }, async (request, reply) => {
    const approval = await authorize.ask(request.params.token);
    const browser = browserCookie.read(request) ?? randomBytes(32).toString('base64url');
    browserCookie.set(reply, browser);
    return reply.send(connectPage(languageOf(request), approval));
  });

  app.post<ConnectRoute>('/connect/:token', { schema: hidden }, async (request, reply) => {
    checkSameOrigin(request, 'other_site');
    const browser = browserCookie.read(request);
    if (browser === undefined) {
      throw new ServiceError(
        'forbidden',
        'The browser did not send its cookie. Allow cookies, open the link again and continue.',
        { reason: 'no_cookie' },
      );
    }
    if (request.body?.decision !== 'allow') {
      const ending = await authorize.cancel(request.params.token);
      if ('redirectTo' in ending) return reply.redirect(ending.redirectTo, 303);
      return reply.send(cancelledPage(languageOf(request), ending.approval));
    }
    const { redirectTo } = await authorize.begin(request.params.token, browser);
    return reply.redirect(redirectTo, 303);
  });
}

/** Where the application sends a user whom it did not expect: it alone knows who that was. */
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
    // A HEAD request, as link previews send it, must not consume the flow.
    { schema: hidden, exposeHeadRoute: false },
    async (request, reply) => {
      const ending = await authorize.complete({
        connectionId: request.params.connectionId,
        parameters: new URL(request.raw.url ?? '', environmentUrl).searchParams,
        browser: read(request),
      });
      if ('redirectTo' in ending) return reply.redirect(ending.redirectTo, 303);
      return reply.send(connectedPage(languageOf(request), ending.approval));
    },
  );
}

/** What the user's browser sees: the connect page, and the callback that the upstream sends it back to. */
export const connectRoutes =
  (parts: ConnectParts): FastifyPluginAsync =>
  async (app) => {
    if (!app.hasReplyDecorator('setCookie')) await app.register(cookie);
    app.setErrorHandler(createProblem(parts));
    app.addHook('onRequest', async (_request, reply) => {
      reply.headers(PAGE_HEADERS);
    });
    takeForms(app);
    const browserCookie = createBrowserCookie(parts.environmentUrl);
    addConnectPage(app, parts, browserCookie);
    addCallback(app, parts, browserCookie);
    addEndings(app, parts);
    addApprovePage(app, parts, languageOf);
  };
