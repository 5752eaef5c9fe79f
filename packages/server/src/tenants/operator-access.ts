import { createOperatorSessions, type OperatorSessionsParts } from './operator-sessions.js';
import { createOperatorSignIn } from './operator-sign-in.js';
import { createOperators, type OperatorsParts } from './operators.js';
import { createOwnPassword } from './own-password.js';
import { createPasswords } from './password.js';
import { createSignInAttempt } from './sign-in-attempt.js';
import { createSignInLimits } from './sign-in-limits.js';
import { createSignInLinks, type SignInLinksParts } from './sign-in-links.js';
import type { SignInRefusals } from './sign-in-refusals.js';

export interface OperatorAccessParts
  extends OperatorSessionsParts,
    SignInLinksParts,
    Omit<OperatorsParts, 'passwords' | 'signInLinks'> {
  readonly storage: OperatorSessionsParts['storage'] & SignInLinksParts['storage'];
  readonly signInRefusals: SignInRefusals;
}

/** The people who run the service, how they come in, and how long they stay. */
export function createOperatorAccess(given: OperatorAccessParts) {
  const parts = {
    ...given,
    passwords: createPasswords(),
    operatorSessions: createOperatorSessions(given),
    signInLinks: createSignInLinks(given),
    attempt: createSignInAttempt({ ...given, signInLimits: createSignInLimits(given) }),
  };
  const { operatorSessions, signInLinks } = parts;
  return {
    operatorSessions,
    signInLinks,
    operators: createOperators(parts),
    operatorSignIn: createOperatorSignIn(parts),
    ownPassword: createOwnPassword(parts),
  };
}
