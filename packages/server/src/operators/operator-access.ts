import { createSignInAttempt } from '../limits/sign-in-attempt.js';
import { createSignInLimits } from '../limits/sign-in-limits.js';
import type { SignInRefusals } from '../limits/sign-in-refusals.js';
import type { Storage } from '../storage/storage.js';
import { createOperatorSessions, type OperatorSessionsParts } from './operator-sessions.js';
import { createOperatorSignIn } from './operator-sign-in.js';
import { createOperators, type OperatorsParts } from './operators.js';
import { createOwnPassword } from './own-password.js';
import { createPasskeyCeremony } from './passkey-ceremony.js';
import { createPasskeyChallenges } from './passkey-challenges.js';
import { createPasskeySignIn } from './passkey-sign-in.js';
import { createPasskeys } from './passkeys.js';
import { createPasswords } from './password.js';
import { createSignInLinks, type SignInLinksParts } from './sign-in-links.js';

export interface OperatorAccessParts
  extends OperatorSessionsParts,
    SignInLinksParts,
    Omit<OperatorsParts, 'passwords' | 'signInLinks'> {
  readonly storage: Pick<Storage, 'operators' | 'operatorSessions' | 'passkeys'>;
  readonly signInRefusals: SignInRefusals;
}

/** The people who run the service, how they come in, and how long they stay. */
export function createOperatorAccess(given: OperatorAccessParts) {
  const parts = {
    ...given,
    passwords: createPasswords(),
    operatorSessions: createOperatorSessions(given),
    signInLinks: createSignInLinks(given),
    passkeyCeremony: createPasskeyCeremony(given),
    passkeyChallenges: createPasskeyChallenges(given),
    attempt: createSignInAttempt({ ...given, signInLimits: createSignInLimits(given) }),
  };
  const { operatorSessions, signInLinks } = parts;
  return {
    operatorSessions,
    signInLinks,
    operators: createOperators(parts),
    operatorSignIn: createOperatorSignIn(parts),
    ownPassword: createOwnPassword(parts),
    passkeys: createPasskeys(parts),
    passkeySignIn: createPasskeySignIn(parts),
  };
}
