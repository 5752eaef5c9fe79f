import { ServiceError } from '../errors.js';
import type { Commit } from '../records/commit.js';
import type { OperatorRow, SignedInBy } from '../storage/operator-rows.js';
import { type LiveSession, SESSION_IDLE_MS } from '../storage/operator-tables.js';
import type { Storage, Tables } from '../storage/storage.js';
import { isSame } from '../text/is-same.js';
import { isoTime } from '../text/iso-time.js';
import { newToken, type Random } from '../text/random.js';
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
  /** Name of the signed-in operator. */
  readonly name: string;
  /** Current role of the operator, which may change during the session. */
  readonly role: OperatorRole;
  /** CSRF token that every request with a change must send. */
  readonly csrfToken: string;
  readonly signedInBy: SignedInBy;
  /** Absolute expiry of the session, 12 hours after the sign-in. Using the session does not extend it. */
  readonly expiresAt: string;
}

/**
 * New session with its id, which becomes the cookie value. The id is returned only once, because only its digest is
 * stored.
 */
export type BegunSession = OperatorSession & { readonly sessionId: string };

export const SESSION_LIFE_MS = 12 * 3_600_000;
// The time of the last request of a session is stored at most once a minute, because one page sends many requests.
const USE_MS = 60_000;

type PublicFields = Pick<LiveSession, 'name' | 'role' | 'signedInBy' | 'createdAt'>;

const ended = () =>
  new ServiceError('unauthorized', 'You are not signed in, or your session has expired. Sign in.');

/** Manages operator sessions. The database stores only digests of session ids. */
export function createOperatorSessions(parts: OperatorSessionsParts) {
  const { storage, commit, digest, now, random } = parts;
  const digestOf = (sessionId: string) => digest('operator session', sessionId);
  const csrfTokenOf = (sessionId: string) => digest('operator csrf', sessionId);
  const limits = () => ({ createdAfter: now() - SESSION_LIFE_MS, usedAfter: now() - SESSION_IDLE_MS });

  const show = (sessionId: string, { name, role, signedInBy, createdAt }: PublicFields): OperatorSession => ({
    name,
    role,
    signedInBy,
    csrfToken: csrfTokenOf(sessionId),
    expiresAt: isoTime(createdAt + SESSION_LIFE_MS),
  });

  /** Returns the stored session. Throws unauthorized for an expired or deleted session. */
  async function get(sessionId: string): Promise<LiveSession> {
    const session = await storage.operatorSessions.findLive(digestOf(sessionId), limits());
    if (!session) throw ended();
    return session;
  }

  /** Begins a session for the operator that `identify` returns. Both run in a single transaction. */
  async function begin(
    signedInBy: SignedInBy,
    identify: (tables: Tables) => Promise<Pick<OperatorRow, 'id' | 'name' | 'role'>>,
  ): Promise<BegunSession> {
    const sessionId = newToken(random);
    const createdAt = now();
    const operator = await commit(async (tables, audit) => {
      const { id, name, role } = await identify(tables);
      await tables.operatorSessions.insert({
        digest: digestOf(sessionId),
        operatorId: id,
        signedInBy,
        createdAt,
        usedAt: createdAt,
      });
      await tables.operators.setSignedInAt(id, createdAt);
      audit({
        action: 'operator.signed_in',
        actor: `operator:${name}`,
        applicationId: null,
        object: id,
        reason: signedInBy,
      });
      return { name, role };
    });
    return { sessionId, ...show(sessionId, { ...operator, signedInBy, createdAt }) };
  }

  /** Returns the session and updates its last use. Throws unauthorized for an expired or deleted session. */
  async function find(sessionId: string): Promise<OperatorSession> {
    const session = await get(sessionId);
    if (session.usedAt <= now() - USE_MS) await storage.operatorSessions.use(session.digest, now());
    return show(sessionId, session);
  }

  /**
   * Locks the operator row of a session until the transaction ends. Throws unauthorized if the session was deleted
   * since it was read.
   */
  async function hold(
    tables: Tables,
    { operatorId, digest: digestOfId }: Pick<LiveSession, 'operatorId' | 'digest'>,
  ): Promise<void> {
    const isThere =
      (await tables.operators.lock(operatorId)) && (await tables.operatorSessions.exists(digestOfId));
    if (!isThere) throw ended();
  }

  async function signOut(sessionId: string): Promise<void> {
    const session = await storage.operatorSessions.findLive(digestOf(sessionId), limits());
    if (!session) return;
    await commit(async (tables, audit) => {
      await tables.operatorSessions.delete(session.digest);
      audit({ action: 'operator.signed_out', applicationId: null, object: session.operatorId });
    });
  }

  function isCsrfToken(sessionId: string, token: string): boolean {
    return isSame(token, csrfTokenOf(sessionId));
  }

  return { begin, get, find, hold, signOut, isCsrfToken };
}

export type OperatorSessions = ReturnType<typeof createOperatorSessions>;
