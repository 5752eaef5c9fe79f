import { timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../errors.js';
import { newToken, type Random } from '../random.js';
import type { Commit } from '../records/commit.js';
import { type LiveSession, SESSION_IDLE_MS } from '../storage/operator-sessions-table.js';
import type { Storage } from '../storage/storage.js';
import type { Digest } from '../vault/pepper.js';
import type { OperatorRole } from './operator-role.js';
import type { Passwords } from './password.js';
import type { SignInLimits } from './sign-in-limits.js';
import type { RefusedSignIn, SignInRefusals } from './sign-in-refusals.js';

export interface OperatorSessionsParts {
  readonly storage: Pick<Storage, 'operators' | 'operatorSessions'>;
  readonly commit: Commit;
  readonly digest: Digest;
  readonly passwords: Pick<Passwords, 'isRight'>;
  readonly signInLimits: Pick<SignInLimits, 'attempt'>;
  readonly signInRefusals: Pick<SignInRefusals, 'record'>;
  readonly now: () => number;
  readonly random: Random;
}

export interface OperatorCredentials {
  readonly name: string;
  readonly password: string;
  /** Where they come from. */
  readonly address: string;
}

export interface OperatorSession {
  /** The operator's. */
  readonly name: string;
  /** As it is at this moment. */
  readonly role: OperatorRole;
  /** To be sent with every call that changes something. */
  readonly csrfToken: string;
  /** When it ends, used or not. */
  readonly expiresAt: string;
}

/** Signed-in operators. Only a digest of a session's id is stored. */
export interface OperatorSessions {
  /** Throws `unauthorized` for an unknown name as for a wrong password, and `rate_limited` after too many. */
  signIn(given: OperatorCredentials): Promise<OperatorSession & { readonly sessionId: string }>;
  /** Throws `unauthorized` when the session has ended. */
  find(sessionId: string): Promise<OperatorSession>;
  signOut(sessionId: string): Promise<void>;
  isCsrfToken(sessionId: string, token: string): boolean;
}

export const SESSION_LIFE_MS = 12 * 3_600_000;
// Written down once a minute at most: a page with twenty requests is one use.
const USE_MS = 60_000;

const ended = () =>
  new ServiceError('unauthorized', 'You are not signed in, or your session has ended: sign in.');
const isRefusal = (error: unknown) =>
  error instanceof ServiceError && ['unauthorized', 'rate_limited'].includes(error.code);

export function createOperatorSessions(parts: OperatorSessionsParts): OperatorSessions {
  const { storage, commit, digest, passwords, signInLimits, signInRefusals, now, random } = parts;
  const digestOf = (sessionId: string) => digest('operator session', sessionId);
  const csrfTokenOf = (sessionId: string) => digest('operator csrf', sessionId);
  const limits = () => ({ createdAfter: now() - SESSION_LIFE_MS, usedAfter: now() - SESSION_IDLE_MS });

  const show = (
    sessionId: string,
    { name, role, createdAt }: Pick<LiveSession, 'name' | 'role' | 'createdAt'>,
  ) => ({
    name,
    role,
    csrfToken: csrfTokenOf(sessionId),
    expiresAt: new Date(createdAt + SESSION_LIFE_MS).toISOString(),
  });

  async function verify({ name, password, address }: OperatorCredentials) {
    let refusal: RefusedSignIn = { reason: 'too many' };
    try {
      return await signInLimits.attempt({ name, address }, async () => {
        const operator = await storage.operators.findByName(name);
        const isRight = await passwords.isRight(operator?.passwordHash, password);
        if (operator && isRight) return operator;
        refusal = operator ? { object: operator.id, reason: 'wrong password' } : { reason: 'unknown name' };
        throw new ServiceError('unauthorized', 'The name or the password is not right.');
      });
    } catch (error) {
      if (isRefusal(error)) await signInRefusals.record(refusal);
      throw error;
    }
  }

  return {
    async signIn(given) {
      const name = given.name.toLowerCase();
      const operator = await verify({ ...given, name });
      const sessionId = newToken(random);
      const session = {
        createdAt: now(),
        usedAt: now(),
        operatorId: operator.id,
        digest: digestOf(sessionId),
      };
      await commit(async (tables, tell) => {
        await tables.operatorSessions.insert(session);
        await tables.operators.signedIn(operator.id, session.createdAt);
        tell({
          action: 'operator.signed_in',
          actor: `operator:${name}`,
          applicationId: null,
          object: operator.id,
        });
      });
      return { sessionId, ...show(sessionId, { ...operator, createdAt: session.createdAt }) };
    },

    async find(sessionId) {
      const session = await storage.operatorSessions.findLive(digestOf(sessionId), limits());
      if (!session) throw ended();
      if (session.usedAt <= now() - USE_MS) await storage.operatorSessions.use(session.digest, now());
      return show(sessionId, session);
    },

    async signOut(sessionId) {
      const session = await storage.operatorSessions.findLive(digestOf(sessionId), limits());
      if (!session) return;
      await commit(async (tables, tell) => {
        await tables.operatorSessions.delete(session.digest);
        tell({ action: 'operator.signed_out', applicationId: null, object: session.operatorId });
      });
    },

    isCsrfToken(sessionId, token) {
      const [expected, given] = [Buffer.from(csrfTokenOf(sessionId)), Buffer.from(token)];
      return expected.length === given.length && timingSafeEqual(expected, given);
    },
  };
}
