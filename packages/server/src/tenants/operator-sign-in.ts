import type { Storage } from '../storage/storage.js';
import type { BegunSession, OperatorSessions } from './operator-sessions.js';
import type { Passwords } from './password.js';
import type { SignInAttempt } from './sign-in-attempt.js';
import type { SignInLinks } from './sign-in-links.js';

export interface OperatorSignInParts {
  readonly storage: Pick<Storage, 'operators'>;
  readonly passwords: Pick<Passwords, 'isRight'>;
  readonly operatorSessions: Pick<OperatorSessions, 'begin'>;
  readonly signInLinks: Pick<SignInLinks, 'take'>;
  readonly attempt: SignInAttempt;
}

interface FromSomewhere {
  /** Where it comes from. */
  readonly address: string;
}

export interface OperatorCredentials extends FromSomewhere {
  readonly name: string;
  readonly password: string;
}

export interface OperatorLink extends FromSomewhere {
  /** What follows # in the link. */
  readonly token: string;
}

/** How an operator says who it is. Throws unauthorized, whatever was wrong, and rate_limited after too many. */
export interface OperatorSignIn {
  byPassword(given: OperatorCredentials): Promise<BegunSession>;
  /** Takes the one use of the link. */
  byLink(given: OperatorLink): Promise<BegunSession>;
}

export function createOperatorSignIn(parts: OperatorSignInParts): OperatorSignIn {
  const { storage, passwords, operatorSessions, signInLinks, attempt } = parts;
  return {
    async byPassword({ password, address, ...given }) {
      const name = given.name.toLowerCase();
      const operator = await attempt({ name, address }, async (refuse) => {
        const found = await storage.operators.findByName(name);
        if ((await passwords.isRight(found?.passwordHash, password)) && found) return found;
        const why = found
          ? { object: found.id, reason: 'wrong password' as const }
          : { reason: 'unknown name' as const };
        throw refuse(why, 'The name or the password is not right.');
      });
      return operatorSessions.begin('password', async () => operator);
    },

    byLink: ({ token, address }) =>
      attempt({ name: token, address }, (refuse) =>
        operatorSessions.begin('link', async (tables) => {
          const operator = await signInLinks.take(tables, token);
          if (operator) return operator;
          throw refuse(
            { reason: 'wrong link' },
            'This link has been used, is too old or was never given; an owner, or `svc-server operators link`, makes another one.',
          );
        }),
      ),
  };
}
