import type { FastifyInstance, FastifyReply } from 'fastify';
import { SMALL_BODY } from '../../listener/body-limits.js';
import type { BegunSession, OperatorSession } from '../../operators/operator-sessions.js';
import type { OperatorSignIn } from '../../operators/operator-sign-in.js';
import type { PasskeySignIn, PresentedPasskey } from '../../operators/passkey-sign-in.js';
import type { HostCookie } from '../host-cookie.js';
import { closed } from '../list-schema.js';
import { authentication, PASSKEY_BODY, requestOptions } from './passkey-schemas.js';
import { checkOrigin } from './require-operator.js';
import { session, SESSION_TAGS as tags } from './session-schema.js';

export interface SignInParts {
  readonly operatorSignIn: OperatorSignIn;
  /** What users' browsers see. */
  readonly environmentUrl: string;
  readonly passkeySignIn: PasskeySignIn;
  readonly cookie: HostCookie;
  readonly challengeCookie: HostCookie;
}

const text = { type: 'string', minLength: 1 };

const signingIn = (summary: string, body: object) => ({
  schema: { tags, summary, security: [], body, response: { 200: session } },
  bodyLimit: SMALL_BODY,
});

const byPassword = signingIn(
  'Sign in with name and password; the answer sets the cookie of the session',
  closed({ name: { ...text, maxLength: 64 }, password: { ...text, maxLength: 256 } }),
);
const byLink = signingIn(
  'Sign in with the token of a one-time link, which is what follows # in it',
  closed({ token: { ...text, maxLength: 64 } }),
);

const passkeyOptions = {
  schema: {
    tags,
    summary: 'Begin to sign in with a passkey: what the browser is asked for',
    security: [],
    body: closed({}),
    response: { 200: requestOptions },
  },
};
const byPasskey = {
  ...signingIn(
    'Sign in with the passkey that the browser has answered with',
    closed({ credential: authentication }),
  ),
  bodyLimit: PASSKEY_BODY,
};

type Begin = (reply: FastifyReply, signingIn: Promise<BegunSession>) => Promise<OperatorSession>;

function addPasskeySignIn(
  app: FastifyInstance,
  { passkeySignIn, challengeCookie }: SignInParts,
  begun: Begin,
): void {
  app.post('/session/passkey-options', passkeyOptions, async (_request, reply) => {
    const { options, sealed } = passkeySignIn.request();
    challengeCookie.set(reply, sealed);
    return { options };
  });
  app.post<{ Body: Pick<PresentedPasskey, 'credential'> }>(
    '/session/passkey',
    byPasskey,
    (request, reply) => {
      const sealed = challengeCookie.read(request);
      challengeCookie.clear(reply);
      return begun(reply, passkeySignIn.signIn({ ...request.body, sealed, address: request.address }));
    },
  );
}

/** What nobody has to be signed in for. */
export function addSignIn(app: FastifyInstance, parts: SignInParts): void {
  const { operatorSignIn, environmentUrl, cookie } = parts;
  app.addHook('preValidation', async (request) => {
    // Programs have no page that they could be lured from, and no session yet.
    if (request.headers.origin !== undefined) checkOrigin(request, environmentUrl);
  });

  const begun: Begin = async (reply, signingIn) => {
    const { sessionId, ...shown } = await signingIn;
    cookie.set(reply, sessionId);
    return shown;
  };

  app.post<{ Body: { name: string; password: string } }>('/session', byPassword, (request, reply) =>
    begun(reply, operatorSignIn.byPassword({ ...request.body, address: request.address })),
  );
  app.post<{ Body: { token: string } }>('/session/link', byLink, (request, reply) =>
    begun(reply, operatorSignIn.byLink({ ...request.body, address: request.address })),
  );
  addPasskeySignIn(app, parts, begun);
}
