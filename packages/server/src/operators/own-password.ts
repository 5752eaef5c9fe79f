import { ServiceError } from '../errors.js';
import type { SignInAttempt } from '../limits/sign-in-attempt.js';
import type { Commit } from '../records/commit.js';
import type { LiveSession } from '../storage/operator-tables.js';
import type { Storage } from '../storage/storage.js';
import type { OperatorSessions } from './operator-sessions.js';
import type { Passwords } from './password.js';

export interface OwnPasswordParts {
  readonly storage: Pick<Storage, 'operators'>;
  readonly commit: Commit;
  readonly passwords: Passwords;
  readonly operatorSessions: Pick<OperatorSessions, 'get' | 'hold'>;
  readonly attempt: SignInAttempt;
}

export interface NewPassword {
  readonly sessionId: string;
  /** The present one. Not needed where the session began by a one-time link. */
  readonly password?: string | undefined;
  readonly newPassword: string;
  /** Where it comes from. */
  readonly address: string;
}

/** How an operator changes its own password. */
export interface OwnPassword {
  /** Ends the operator's other sessions, and its sign-in links. */
  change(given: NewPassword): Promise<void>;
}

const isWrong = (error: unknown) => error instanceof ServiceError && error.code === 'unauthorized';

export function createOwnPassword(parts: OwnPasswordParts): OwnPassword {
  const { storage, commit, passwords, operatorSessions, attempt } = parts;

  async function verify({ name, operatorId }: LiveSession, { password, address }: NewPassword) {
    if (password === undefined)
      throw new ServiceError(
        'invalid_request',
        'Send the present password too, as password; only after a one-time link it is not needed.',
      );
    try {
      await attempt({ name, address }, async (refuse) => {
        const operator = await storage.operators.findByName(name);
        if (await passwords.isRight(operator?.passwordHash, password)) return;
        throw refuse({ object: operatorId, reason: 'wrong password' }, 'The password is not right.');
      });
    } catch (error) {
      // The session goes on: whoever reads 401 would sign in again.
      if (isWrong(error)) throw new ServiceError('forbidden', 'The present password is not right.');
      throw error;
    }
  }

  return {
    async change(given) {
      const session = await operatorSessions.get(given.sessionId);
      if (session.signedInBy !== 'link') await verify(session, given);
      const passwordHash = await passwords.hash(given.newPassword);
      await commit(async (tables, tell) => {
        const { name, operatorId: object } = session;
        // Passwords take their time, in which a reset may have ended the session.
        await operatorSessions.hold(tables, session);
        await tables.operators.setPassword(name, passwordHash);
        await tables.operatorSessions.keepOnly(session);
        await tables.signInLinks.deleteOf(object);
        tell({ action: 'operator.changed', applicationId: null, object, reason: 'password' });
      });
    },
  };
}
