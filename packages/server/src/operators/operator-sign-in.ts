import { ServiceError } from '../errors.js';
import type { SignInAttempt } from '../limits/sign-in-attempt.js';
import type { SignInRefusals } from '../limits/sign-in-refusals.js';
import type { Storage } from '../storage/storage.js';
import type { BegunSession, OperatorSessions } from './operator-sessions.js';
import type { Passwords } from './password.js';
import type { SignInLinks } from './sign-in-links.js';

export interface OperatorSignInParts {
  readonly storage: Pick<Storage, 'operators'>;
  readonly passwords: Pick<Passwords, 'isRight'>;
  readonly operatorSessions: Pick<OperatorSessions, 'begin'>;
  readonly signInLinks: Pick<SignInLinks, 'take' | 'findEnded'>;
  readonly signInRefusals: Pick<SignInRefusals, 'record'>;
  readonly attempt: SignInAttempt;
}

export interface OperatorCredentials {
  readonly name: string;
  readonly password: string;
  /** IP address of the caller, for the rate limit of failed sign-ins. */
  readonly address: string;
}

export interface OperatorLink {
  /** Secret token of the sign-in link, from the URL fragment after `#`. */
  readonly token: string;
  /** IP address of the caller, for the rate limit of failed sign-ins. */
  readonly address: string;
}

const NOT_RIGHT = 'The name or the password is wrong. Correct them, or ask an owner for a sign-in link.';
const ENDED_LINK =
  'This link was used, has expired or does not exist. Get another one from an owner or from `svc-server operators link`.';

/**
 * Signs operators in by password or by link. Throws unauthorized for any failure, and rate_limited after too many
 * failures.
 */
export function createOperatorSignIn(parts: OperatorSignInParts) {
  const { storage, passwords, operatorSessions, signInLinks, signInRefusals, attempt } = parts;
  async function byPassword({
    name: anyCase,
    password,
    address,
  }: OperatorCredentials): Promise<BegunSession> {
    const name = anyCase.toLowerCase();
    return attempt({ name, address }, async (refuse) => {
      const row = await storage.operators.findByName(name);
      const wrong = (object: string) => refuse({ object, reason: 'wrong password' }, NOT_RIGHT);
      const isRight = await passwords.isRight(row?.passwordHash, password);
      if (!row) throw refuse({ reason: 'unknown name' }, NOT_RIGHT);
      if (!isRight) throw wrong(row.id);
      return operatorSessions.begin('password', async (tables) => {
        // Locks and reads the operator again, because a concurrent password reset may have replaced the verified
        // password.
        const operator = await tables.operators.lock(row.id);
        if (operator?.passwordHash !== row.passwordHash) throw wrong(row.id);
        return operator;
      });
    });
  }

  /**
   * Signs an operator in with a one-time link, and ends the link. A used or expired link is no guess, so it does not
   * count as a failure of the caller's IP address.
   */
  async function byLink({ token, address }: OperatorLink): Promise<BegunSession> {
    const ended = await signInLinks.findEnded(token);
    if (ended !== undefined) {
      await signInRefusals.record({ ...ended, reason: 'ended link' });
      throw new ServiceError('unauthorized', ENDED_LINK);
    }
    return attempt({ name: token, address }, (refuse) =>
      operatorSessions.begin('link', async (tables) => {
        const operator = await signInLinks.take(tables, token);
        if (operator) return operator;
        throw refuse({ reason: 'wrong link' }, ENDED_LINK);
      }),
    );
  }

  return { byPassword, byLink };
}

export type OperatorSignIn = ReturnType<typeof createOperatorSignIn>;
