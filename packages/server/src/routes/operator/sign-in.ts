import type { FastifyInstance, FastifyReply } from 'fastify';
import type { BegunSession } from '../../tenants/operator-sessions.js';
import type { OperatorSignIn } from '../../tenants/operator-sign-in.js';
import { SMALL_BODY } from '../body-limits.js';
import { closed } from '../list-schema.js';
import { checkOrigin } from './require-operator.js';
import type { SessionCookie } from './session-cookie.js';
import { session, SESSION_TAGS as tags } from './session-schema.js';

export interface SignInParts {
  readonly operatorSignIn: OperatorSignIn;
  /** What users' browsers see. */
  readonly environmentUrl: string;
  readonly cookie: SessionCookie;
}

const text = { type: 'string', minLength: 1 };

const options = (summary: string, body: object) => ({
  schema: { tags, summary, security: [], body, response: { 200: session } },
  bodyLimit: SMALL_BODY,
});

const byPassword = options(
  'Sign in with name and password; the answer sets the cookie of the session',
  closed({ name: { ...text, maxLength: 64 }, password: { ...text, maxLength: 256 } }),
);
const byLink = options(
  'Sign in with the token of a one-time link, which is what follows # in it',
  closed({ token: { ...text, maxLength: 64 } }),
);

/** What nobody has to be signed in for. */
export function addSignIn(
  app: FastifyInstance,
  { operatorSignIn, environmentUrl, cookie }: SignInParts,
): void {
  app.addHook('preValidation', async (request) => checkOrigin(request, environmentUrl));

  async function begun(reply: FastifyReply, signingIn: Promise<BegunSession>) {
    const { sessionId, ...shown } = await signingIn;
    cookie.set(reply, sessionId);
    return shown;
  }

  app.post<{ Body: { name: string; password: string } }>('/session', byPassword, (request, reply) =>
    begun(reply, operatorSignIn.byPassword({ ...request.body, address: request.address })),
  );
  app.post<{ Body: { token: string } }>('/session/link', byLink, (request, reply) =>
    begun(reply, operatorSignIn.byLink({ ...request.body, address: request.address })),
  );
}
