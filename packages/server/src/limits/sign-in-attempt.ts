import { ServiceError } from '../errors.js';
import type { SignIn, SignInLimits } from './sign-in-limits.js';
import type { RefusedSignIn, SignInRefusals } from './sign-in-refusals.js';

/** Records the reason of a refused sign-in for the audit log. Returns the error to throw. */
export type Refuse = (refusal: RefusedSignIn, message: string) => ServiceError;

const isRefusal = (error: unknown) =>
  error instanceof ServiceError && ['unauthorized', 'rate_limited'].includes(error.code);

export function createSignInAttempt({
  signInLimits,
  signInRefusals,
}: {
  readonly signInLimits: Pick<SignInLimits, 'attempt'>;
  readonly signInRefusals: Pick<SignInRefusals, 'record'>;
}) {
  /**
   * Runs a sign-in attempt of an operator. Counts the attempt before `verify` runs, and records a refusal in the audit
   * log. Throws the error of `verify`, or `rate_limited` after too many failures.
   */
  async function attempt<T>(who: SignIn, verify: (refuse: Refuse) => Promise<T>): Promise<T> {
    let refusal: RefusedSignIn = { reason: 'too many' };
    const refuse: Refuse = (given, message) => {
      refusal = given;
      return new ServiceError('unauthorized', message);
    };
    try {
      return await signInLimits.attempt(who, () => verify(refuse));
    } catch (error) {
      if (isRefusal(error)) await signInRefusals.record(refusal);
      throw error;
    }
  }
  return attempt;
}

export type SignInAttempt = ReturnType<typeof createSignInAttempt>;
