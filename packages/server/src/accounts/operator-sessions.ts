import { timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../errors.js';
import type { LiveSession } from '../storage/operator-sessions-table.js';
import type { Storage } from '../storage/storage.js';
import type { Commit } from './commit.js';
import { hashPassword, isPassword } from './password.js';
import type { Digest } from './pepper.js';
import { newToken, type Random } from './random.js';
import type { SignInLimits } from './sign-in-limits.js';

export interface OperatorSessionsParts {
  readonly storage: Pick<Storage, 'operators' | 'operatorSessions'>;
  readonly commit: Commit;
  readonly digest: Digest;
  readonly signInLimits: SignInLimits;
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
const IDLE_MS = 30 * 60_000;
// Written down once a minute at most: a page with twenty requests is one use.
const USE_MS = 60_000;

const ended = () =>
  new ServiceError('unauthorized', 'You are not signed in, or your session has ended: sign in.');
const refused = () => new ServiceError('unauthorized', 'The name or the password is not right.');

export function createOperatorSessions(parts: OperatorSessionsParts): OperatorSessions {
  const { storage, commit, digest, signInLimits, now, random } = parts;
  const digestOf = (sessionId: string) => digest('operator session', sessionId);
  const csrfTokenOf = (sessionId: string) => digest('operator csrf', sessionId);
  const limits = () => ({ createdAfter: now() - SESSION_LIFE_MS, usedAfter: now() - IDLE_MS });
  let ofNobody: Promise<string> | undefined;

  const show = (sessionId: string, { name, createdAt }: Pick<LiveSession, 'name' | 'createdAt'>) => ({
    name,
    csrfToken: csrfTokenOf(sessionId),
    expiresAt: new Date(createdAt + SESSION_LIFE_MS).toISOString(),
  });

  // An unknown name costs the hash, too, so that the time does not tell who is an operator.
  async function verify(name: string, password: string) {
    const operator = await storage.operators.findByName(name);
    ofNobody ??= hashPassword(newToken(random));
    const isRight = await isPassword(operator?.passwordHash ?? (await ofNobody), password);
    if (operator && isRight) return operator;
    await commit(async (_, tell) =>
      tell({
        action: 'operator.sign_in_refused',
        applicationId: null,
        object: operator?.id ?? 'unknown',
        result: 'refused',
        reason: operator ? 'wrong password' : 'unknown name',
      }),
    );
    throw refused();
  }

  return {
    async signIn({ name: given, password, address }) {
      const name = given.toLowerCase();
      const operator = await signInLimits.attempt({ name, address }, () => verify(name, password));
      const sessionId = newToken(random);
      const session = {
        createdAt: now(),
        usedAt: now(),
        operatorId: operator.id,
        digest: digestOf(sessionId),
      };
      await commit(async (tables, tell) => {
        await tables.operatorSessions.deleteEnded(limits());
        await tables.operatorSessions.insert(session);
        tell({
          action: 'operator.signed_in',
          actor: `operator:${name}`,
          applicationId: null,
          object: operator.id,
        });
      });
      return { sessionId, ...show(sessionId, { name, createdAt: session.createdAt }) };
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
