import { ServiceError } from '../errors.js';
import { newToken, type Random } from '../random.js';
import type { Commit } from '../records/commit.js';
import type { OperatorRow, SignedInBy } from '../storage/operator-rows.js';
import { type LiveSession, SESSION_IDLE_MS } from '../storage/operator-tables.js';
import type { Storage, Tables } from '../storage/storage.js';
import { isSame } from '../text/is-same.js';
import type { Digest } from '../vault/pepper.js';
import type { OperatorRole } from './operator-role.js';

export interface OperatorSessionsParts {
  readonly storage: Pick<Storage, 'operatorSessions'>;
  readonly commit: Commit;
  readonly digest: Digest;
  readonly now: () => number;
  readonly random: Random;
}

export interface OperatorSession {
  /** The operator's. */
  readonly name: string;
  /** As it is at this moment. */
  readonly role: OperatorRole;
  /** To be sent with every call that changes something. */
  readonly csrfToken: string;
  readonly signedInBy: SignedInBy;
  /** When it ends, used or not. */
  readonly expiresAt: string;
}

/** The cookie's value is shown here alone. */
export type BegunSession = OperatorSession & { readonly sessionId: string };

/** Signed-in operators. Only a digest of a session's id is stored. */
export interface OperatorSessions {
  /** A new session of the operator whom `identify` gives, in one transaction with that. */
  begin(
    signedInBy: SignedInBy,
    identify: (tables: Tables) => Promise<Pick<OperatorRow, 'id' | 'name' | 'role'>>,
  ): Promise<BegunSession>;
  /** Throws `unauthorized` when the session has ended. */
  find(sessionId: string): Promise<OperatorSession>;
  /** What is stored of it. Throws `unauthorized` when it has ended. */
  get(sessionId: string): Promise<LiveSession>;
  /** Keeps a session that was read before from ending with its operator's. Throws `unauthorized` when it has ended since. */
  hold(tables: Tables, session: Pick<LiveSession, 'operatorId' | 'digest'>): Promise<void>;
  signOut(sessionId: string): Promise<void>;
  isCsrfToken(sessionId: string, token: string): boolean;
}

export const SESSION_LIFE_MS = 12 * 3_600_000;
// Written down once a minute at most: a page with twenty requests is one use.
const USE_MS = 60_000;

type Shown = Pick<LiveSession, 'name' | 'role' | 'signedInBy' | 'createdAt'>;

const ended = () =>
  new ServiceError('unauthorized', 'You are not signed in, or your session has ended: sign in.');

export function createOperatorSessions(parts: OperatorSessionsParts): OperatorSessions {
  const { storage, commit, digest, now, random } = parts;
  const digestOf = (sessionId: string) => digest('operator session', sessionId);
  const csrfTokenOf = (sessionId: string) => digest('operator csrf', sessionId);
  const limits = () => ({ createdAfter: now() - SESSION_LIFE_MS, usedAfter: now() - SESSION_IDLE_MS });

  const show = (sessionId: string, { name, role, signedInBy, createdAt }: Shown): OperatorSession => ({
    name,
    role,
    signedInBy,
    csrfToken: csrfTokenOf(sessionId),
    expiresAt: new Date(createdAt + SESSION_LIFE_MS).toISOString(),
  });

  async function get(sessionId: string): Promise<LiveSession> {
    const session = await storage.operatorSessions.findLive(digestOf(sessionId), limits());
    if (!session) throw ended();
    return session;
  }

  return {
    async begin(signedInBy, identify) {
      const sessionId = newToken(random);
      const createdAt = now();
      const operator = await commit(async (tables, tell) => {
        const { id, name, role } = await identify(tables);
        await tables.operatorSessions.insert({
          digest: digestOf(sessionId),
          operatorId: id,
          signedInBy,
          createdAt,
          usedAt: createdAt,
        });
        await tables.operators.setSignedInAt(id, createdAt);
        tell({
          action: 'operator.signed_in',
          actor: `operator:${name}`,
          applicationId: null,
          object: id,
          reason: signedInBy,
        });
        return { name, role };
      });
      return { sessionId, ...show(sessionId, { ...operator, signedInBy, createdAt }) };
    },

    get,

    async find(sessionId) {
      const session = await get(sessionId);
      if (session.usedAt <= now() - USE_MS) await storage.operatorSessions.use(session.digest, now());
      return show(sessionId, session);
    },

    async hold(tables, { operatorId, digest: digestOfId }) {
      const isThere =
        (await tables.operators.lock(operatorId)) && (await tables.operatorSessions.exists(digestOfId));
      if (!isThere) throw ended();
    },

    async signOut(sessionId) {
      const session = await storage.operatorSessions.findLive(digestOf(sessionId), limits());
      if (!session) return;
      await commit(async (tables, tell) => {
        await tables.operatorSessions.delete(session.digest);
        tell({ action: 'operator.signed_out', applicationId: null, object: session.operatorId });
      });
    },

    isCsrfToken: (sessionId, token) => isSame(token, csrfTokenOf(sessionId)),
  };
}
