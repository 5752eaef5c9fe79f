import { ServiceError } from '../errors.js';
import type { SignIn, SignInLimits } from './sign-in-limits.js';
import type { RefusedSignIn, SignInRefusals } from './sign-in-refusals.js';

export interface SignInAttemptParts {
  readonly signInLimits: Pick<SignInLimits, 'attempt'>;
  readonly signInRefusals: Pick<SignInRefusals, 'record'>;
}

/** Notes why a sign-in is refused, and gives the error to throw. */
export type Refuse = (refusal: RefusedSignIn, message: string) => ServiceError;

/**
 * A try of an operator to sign in: counted before it is verified, told of in the audit log when it is refused. Throws
 * unauthorized as `verify` does, and rate_limited after too many.
 */
export type SignInAttempt = <T>(who: SignIn, verify: (refuse: Refuse) => Promise<T>) => Promise<T>;

const isRefusal = (error: unknown) =>
  error instanceof ServiceError && ['unauthorized', 'rate_limited'].includes(error.code);

export const createSignInAttempt =
  ({ signInLimits, signInRefusals }: SignInAttemptParts): SignInAttempt =>
  async (who, verify) => {
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
  };
