import type { FastifyInstance, FastifyReply, FastifySchema } from 'fastify';
import { SMALL_BODY } from '../../listener/body-limits.js';
import { closed, named } from '../../listener/list-schema.js';
import type { BegunSession, OperatorSession } from '../../operators/operator-sessions.js';
import type { OperatorSignIn } from '../../operators/operator-sign-in.js';
import type { PasskeySignIn, PresentedPasskey } from '../../operators/passkey-sign-in.js';
import type { HostCookie } from '../host-cookie.js';
import { authentication, PASSKEY_BODY, requestOptions } from './passkey-schemas.js';
import { checkOrigin } from './require-operator.js';
import { session, SESSION_TAGS as tags } from './session-schema.js';

const text = { type: 'string', minLength: 1 };

const signingIn = (texts: FastifySchema) => ({
  schema: {
    tags,
    security: [],
    errors: ['unauthorized', 'forbidden', 'rate_limited'],
    response: { 200: session },
    ...texts,
  } satisfies FastifySchema,
  bodyLimit: SMALL_BODY,
});

const byPassword = signingIn({
  operationId: 'signIn',
  summary: 'Sign in with name and password',
  description: 'The response sets the session cookie.',
  body: named(
    'PasswordSignIn',
    closed({
      name: { ...text, maxLength: 64, examples: ['ada'] },
      password: { ...text, maxLength: 256, examples: ['correct horse battery staple'] },
    }),
  ),
});
const byLink = signingIn({
  operationId: 'signInByLink',
  summary: 'Sign in with a one-time link',
  description: 'Send the token of the one-time link: the part of the URL after #.',
  body: named('LinkSignIn', closed({ token: { ...text, maxLength: 128, examples: ['K3v9'] } })),
});

const passkeyOptions = {
  schema: {
    operationId: 'beginPasskeySignIn',
    tags,
    summary: 'Start a sign-in with a passkey',
    description: 'The response contains the options for navigator.credentials.get.',
    security: [],
    body: closed({}),
    response: { 200: requestOptions },
  },
};
const byPasskey = {
  ...signingIn({
    operationId: 'signInByPasskey',
    summary: 'Sign in with a passkey',
    description: 'Send the credential that navigator.credentials.get returned in the browser.',
    body: named('PasskeySignIn', closed({ credential: authentication })),
  }),
  bodyLimit: PASSKEY_BODY,
};

/** Sets the session cookie and returns the session without its id, because scripts must not read the id. */
function sendSession(
  reply: FastifyReply,
  sessionCookie: HostCookie,
  { sessionId, ...session }: BegunSession,
): OperatorSession {
  sessionCookie.set(reply, sessionId);
  return session;
}

function addPasskeySignIn(
  app: FastifyInstance,
  { passkeySignIn, sessionCookie, challengeCookie }: SignInParts,
): void {
  app.post('/session/passkey-options', passkeyOptions, async (_request, reply) => {
    const { options, sealed } = passkeySignIn.request();
    challengeCookie.set(reply, sealed);
    return { options };
  });
  app.post<{ Body: Pick<PresentedPasskey, 'credential'> }>(
    '/session/passkey',
    byPasskey,
    async (request, reply) => {
      const sealed = challengeCookie.read(request);
      challengeCookie.clear(reply);
      const { body, address } = request;
      const begun = await passkeySignIn.signIn({ credential: body.credential, sealed, address });
      return sendSession(reply, sessionCookie, begun);
    },
  );
}

interface SignInParts {
  readonly operatorSignIn: OperatorSignIn;
  readonly passkeySignIn: PasskeySignIn;
  readonly sessionCookie: HostCookie;
  readonly challengeCookie: HostCookie;
  /** Public URL of the service, under which operators open the dashboard. */
  readonly environmentUrl: string;
}

/**
 * Adds the routes of all sign-in methods in a separate scope. Requests from browsers must come from the service's own
 * pages.
 */
export function addSignInRoutes(app: FastifyInstance, parts: SignInParts): void {
  const { operatorSignIn, sessionCookie, environmentUrl } = parts;
  app.register(async (scope) => {
    scope.addHook('preValidation', async (request) => {
      // Programs send no `Origin` header and are not checked. Without a page and a session cookie, they cannot be
      // abused for CSRF.
      if (request.headers.origin !== undefined) checkOrigin(request, environmentUrl);
    });
    scope.post<{ Body: { name: string; password: string } }>(
      '/session',
      byPassword,
      async ({ body: { name, password }, address }, reply) =>
        sendSession(reply, sessionCookie, await operatorSignIn.byPassword({ name, password, address })),
    );
    scope.post<{ Body: { token: string } }>(
      '/session/link',
      byLink,
      async ({ body: { token }, address }, reply) =>
        sendSession(reply, sessionCookie, await operatorSignIn.byLink({ token, address })),
    );
    addPasskeySignIn(scope, parts);
  });
}
