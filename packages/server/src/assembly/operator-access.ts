import { createSignInAttempt } from '../limits/sign-in-attempt.js';
import { createSignInLimits } from '../limits/sign-in-limits.js';
import type { SignInRefusals } from '../limits/sign-in-refusals.js';
import { createOperatorSessions } from '../operators/operator-sessions.js';
import { createOperatorSignIn } from '../operators/operator-sign-in.js';
import { createOperators } from '../operators/operators.js';
import { createOwnPassword } from '../operators/own-password.js';
import { createPasskeyCeremony } from '../operators/passkey-ceremony.js';
import { createPasskeyChallenges } from '../operators/passkey-challenges.js';
import { createPasskeySignIn } from '../operators/passkey-sign-in.js';
import { createPasskeys } from '../operators/passkeys.js';
import { createPasswords } from '../operators/password.js';
import { createSignInLinks } from '../operators/sign-in-links.js';
import type { Commit } from '../records/commit.js';
import type { Lock } from '../storage/lock.js';
import type { Storage } from '../storage/storage.js';
import type { Random } from '../text/random.js';
import type { Digest } from '../vault/pepper.js';

export interface OperatorAccessParts {
  readonly storage: Pick<Storage, 'operators' | 'operatorSessions' | 'passkeys' | 'signInLinks'>;
  readonly signInRefusals: SignInRefusals;
  readonly commit: Commit;
  readonly lock: Lock;
  readonly digest: Digest;
  /** Base URL under which operators' browsers reach the service, without a trailing slash. */
  readonly environmentUrl: string;
  readonly now: () => number;
  readonly random: Random;
}

/** Creates the components for operators, their sign-in and their sessions. */
export function createOperatorAccess(parts: OperatorAccessParts) {
  const { storage, signInRefusals, commit, lock, digest, environmentUrl, now, random } = parts;
  const passwords = createPasswords();
  const operatorSessions = createOperatorSessions({ storage, commit, digest, now, random });
  const signInLinks = createSignInLinks({ storage, commit, digest, environmentUrl, now, random });
  const passkeyCeremony = createPasskeyCeremony({ environmentUrl });
  const passkeyChallenges = createPasskeyChallenges({ digest, now, random });
  const attempt = createSignInAttempt({ signInLimits: createSignInLimits({ now }), signInRefusals });
  return {
    operatorSessions,
    signInLinks,
    operators: createOperators({ storage, commit, lock, passwords, signInLinks, now, random }),
    operatorSignIn: createOperatorSignIn({
      storage,
      passwords,
      operatorSessions,
      signInLinks,
      signInRefusals,
      attempt,
    }),
    ownPassword: createOwnPassword({ storage, commit, passwords, operatorSessions, attempt, now }),
    passkeys: createPasskeys({
      storage,
      commit,
      lock,
      operatorSessions,
      passkeyCeremony,
      passkeyChallenges,
      now,
      random,
    }),
    passkeySignIn: createPasskeySignIn({
      storage,
      operatorSessions,
      passkeyCeremony,
      passkeyChallenges,
      signInRefusals,
      attempt,
      now,
    }),
  };
}
