import { randomBytes } from 'node:crypto';
import cookie from '@fastify/cookie';
import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Authorize } from '../accounts/authorize.js';
import { toServiceError } from '../error-reply.js';
import { ServiceError } from '../errors.js';
import { cancelledPage, connectedPage, connectPage, PAGE_HEADERS, problemPage } from './connect-pages.js';
import { takeForms } from './form.js';

export interface ConnectParts {
  readonly authorize: Authorize;
  /** What users' browsers see. Over https the cookie is bound to the host. */
  readonly environmentUrl: string;
}

interface ConnectRoute {
  readonly Params: { readonly token: string };
  readonly Body: { readonly decision?: string };
}

const COOKIE_SECONDS = 3600;
const COOKIE_VALUE = /^[\w-]{43}$/;

const hidden = { hide: true };

function problem(thrown: FastifyError, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = toServiceError(thrown);
  if (error.code === 'internal_error') throw thrown;
  return reply
    .code(error.status)
    .headers(PAGE_HEADERS)
    .header('svc-error', error.code)
    .send(problemPage(error.message));
}

// The cookie is not sent with another site's form (SameSite=Lax); this is the second wall, where browsers say who asks.
function checkSameOrigin({ headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return;
  throw new ServiceError(
    'forbidden',
    'This form was sent by another site. Open the link itself and continue there.',
  );
}

/** What the user's browser sees: the connect page, and the callback that the upstream sends it back to. */
export const connectRoutes =
  ({ authorize, environmentUrl }: ConnectParts): FastifyPluginAsync =>
  async (app) => {
    const secure = environmentUrl.startsWith('https:');
    const name = secure ? '__Host-svc-browser' : 'svc-browser';
    const cookieOptions = {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure,
      maxAge: COOKIE_SECONDS,
    } as const;
    if (!app.hasReplyDecorator('setCookie')) await app.register(cookie);
    app.setErrorHandler(problem);
    takeForms(app);

    const browserOf = ({ cookies }: FastifyRequest): string | undefined => {
      const value = cookies[name];
      return value !== undefined && COOKIE_VALUE.test(value) ? value : undefined;
    };

    app.get<ConnectRoute>(
      '/connect/:token',
      { schema: hidden, exposeHeadRoute: false },
      async (request, reply) => {
        const approval = await authorize.ask(request.params.token);
        const browser = browserOf(request) ?? randomBytes(32).toString('base64url');
        return reply
          .headers(PAGE_HEADERS)
          .setCookie(name, browser, cookieOptions)
          .send(connectPage(approval));
      },
    );

    app.post<ConnectRoute>('/connect/:token', { schema: hidden }, async (request, reply) => {
      checkSameOrigin(request);
      const browser = browserOf(request);
      if (browser === undefined) {
        throw new ServiceError(
          'forbidden',
          'The browser did not send its cookie. Allow cookies, open the link again and continue.',
        );
      }
      if (request.body?.decision !== 'allow') return reply.headers(PAGE_HEADERS).send(cancelledPage());
      const { redirectTo } = await authorize.begin(request.params.token, browser);
      return reply.headers(PAGE_HEADERS).redirect(redirectTo, 303);
    });

    app.get<{ Params: { connectionId: string } }>(
      '/sso/v1/oauth/:connectionId/callback',
      { schema: hidden, exposeHeadRoute: false },
      async (request, reply) => {
        const { searchParams } = new URL(request.raw.url ?? '', environmentUrl);
        const approval = await authorize.complete({
          connectionId: request.params.connectionId,
          parameters: searchParams,
          browser: browserOf(request),
        });
        return reply.headers(PAGE_HEADERS).send(connectedPage(approval));
      },
    );
  };
