import type { SignInAttempt } from '../limits/sign-in-attempt.js';
import type { Storage } from '../storage/storage.js';
import type { BegunSession, OperatorSessions } from './operator-sessions.js';
import type { Passwords } from './password.js';
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

const NOT_RIGHT = 'The name or the password is not right.';

export function createOperatorSignIn(parts: OperatorSignInParts): OperatorSignIn {
  const { storage, passwords, operatorSessions, signInLinks, attempt } = parts;
  return {
    async byPassword({ password, address, ...given }) {
      const name = given.name.toLowerCase();
      return attempt({ name, address }, async (refuse) => {
        const found = await storage.operators.findByName(name);
        const wrong = (object: string) => refuse({ object, reason: 'wrong password' }, NOT_RIGHT);
        const isRight = await passwords.isRight(found?.passwordHash, password);
        if (!found) throw refuse({ reason: 'unknown name' }, NOT_RIGHT);
        if (!isRight) throw wrong(found.id);
        return operatorSessions.begin('password', async (tables) => {
          // The password was looked at for a while, in which a reset may have taken it away.
          const operator = await tables.operators.lock(found.id);
          if (operator?.passwordHash !== found.passwordHash) throw wrong(found.id);
          return operator;
        });
      });
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
