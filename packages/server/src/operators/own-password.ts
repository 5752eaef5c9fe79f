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
  readonly now: () => number;
}

export interface NewPassword {
  readonly sessionId: string;
  /** Current password of the operator. Optional if the session began with a one-time sign-in link. */
  readonly password?: string | undefined;
  readonly newPassword: string;
  /** IP address of the caller, for the rate limit of wrong passwords. */
  readonly address: string;
}

const WRONG_PASSWORD = 'The current password is wrong. Enter it again, or ask an owner for a sign-in link.';

const isWrong = (error: unknown) => error instanceof ServiceError && error.code === 'unauthorized';

export function createOwnPassword({
  storage,
  commit,
  passwords,
  operatorSessions,
  attempt,
  now,
}: OwnPasswordParts) {
  async function verify({ name, operatorId }: LiveSession, { password, address }: NewPassword) {
    if (password === undefined)
      throw new ServiceError(
        'invalid_request',
        'The current password is missing. Send it as `password`. Omit it only in a session that began with a one-time link.',
      );
    try {
      await attempt({ name, address }, async (refuse) => {
        const operator = await storage.operators.findByName(name);
        if (await passwords.isRight(operator?.passwordHash, password)) return;
        throw refuse({ object: operatorId, reason: 'wrong password' }, WRONG_PASSWORD);
      });
    } catch (error) {
      // A wrong current password gives 403, because the session stays valid. Clients would start a new sign-in after
      // 401.
      if (isWrong(error)) throw new ServiceError('forbidden', WRONG_PASSWORD);
      throw error;
    }
  }

  /** Changes the password of the signed-in operator. Ends the operator's other sessions and sign-in links. */
  async function change(input: NewPassword): Promise<void> {
    const session = await operatorSessions.get(input.sessionId);
    if (session.signedInBy !== 'link') await verify(session, input);
    const passwordHash = await passwords.hash(input.newPassword);
    await commit(async (tables, audit) => {
      const { name, operatorId: object } = session;
      // A password reset may have ended the session while the new password was hashed. `hold` throws in that case.
      await operatorSessions.hold(tables, session);
      await tables.operators.setPassword(name, passwordHash);
      await tables.operatorSessions.deleteOthers(session);
      await tables.signInLinks.endOf(object, now());
      audit({ action: 'operator.changed', applicationId: null, object, reason: 'password' });
    });
  }
  return { change };
}

export type OwnPassword = ReturnType<typeof createOwnPassword>;
