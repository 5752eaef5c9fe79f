import { ServiceError } from '../errors.js';
import type { Refuse, SignInAttempt } from '../limits/sign-in-attempt.js';
import type { SignInRefusals } from '../limits/sign-in-refusals.js';
import type { Storage } from '../storage/storage.js';
import type { BegunSession, OperatorSessions } from './operator-sessions.js';
import type { AuthenticationResponseJSON, PasskeyCeremony } from './passkey-ceremony.js';
import type { PasskeyChallenges } from './passkey-challenges.js';

export interface PasskeySignInParts {
  readonly storage: Pick<Storage, 'passkeys'>;
  readonly operatorSessions: Pick<OperatorSessions, 'begin'>;
  readonly passkeyCeremony: PasskeyCeremony;
  readonly passkeyChallenges: PasskeyChallenges;
  readonly signInRefusals: Pick<SignInRefusals, 'record'>;
  readonly attempt: SignInAttempt;
  readonly now: () => number;
}

export interface PresentedPasskey {
  readonly credential: AuthenticationResponseJSON;
  /**
   * Value of the cookie that the browser got together with the WebAuthn request options; `undefined` without the
   * cookie.
   */
  readonly sealed: string | undefined;
  /** IP address of the caller, for the rate limit of failed sign-ins. */
  readonly address: string;
}

const PURPOSE = 'sign in';
const ENDED =
  'This sign-in took longer than 5 minutes or was completed before. Try again, or sign in with your password.';
const REFUSED = 'The passkey was not accepted. Try again, or sign in with your password.';

/** Signs an operator in with a passkey. The passkey identifies the operator, so no operator name is needed. */
export function createPasskeySignIn(parts: PasskeySignInParts) {
  const { storage, operatorSessions, passkeyCeremony, passkeyChallenges, signInRefusals, attempt, now } =
    parts;

  async function verify({ credential, sealed }: PresentedPasskey, refuse: Refuse): Promise<BegunSession> {
    const open = passkeyChallenges.open(PURPOSE, sealed);
    const passkey = await storage.passkeys.findByCredential(credential.id);
    const refused = () =>
      refuse({ reason: 'wrong passkey', ...(passkey && { object: passkey.operatorId }) }, REFUSED);
    if (!open || !passkey) throw refused();
    const { challenge } = open;
    const counter = await passkeyCeremony
      .verifyAuthentication(credential, { challenge, passkey })
      .catch((cause: unknown) => {
        throw Object.assign(refused(), { cause });
      });
    return operatorSessions.begin('passkey', async (tables) => {
      const isFirst = await passkeyChallenges.complete(tables, open);
      const isUsed = isFirst && (await tables.passkeys.use(passkey.id, { counter, usedAt: now() }));
      const operator = isUsed && (await tables.operators.find(passkey.operatorId));
      if (!operator) throw refused();
      return operator;
    });
  }

  /**
   * Creates the WebAuthn request options for the browser, and the cookie value that binds the challenge to this
   * browser.
   */
  function request(): {
    readonly options: ReturnType<PasskeyCeremony['requestAuthentication']>;
    readonly sealed: string;
  } {
    const { challenge, sealed } = passkeyChallenges.create(PURPOSE);
    return { options: passkeyCeremony.requestAuthentication(challenge), sealed };
  }

  /**
   * Verifies the passkey and begins a session. Throws unauthorized for any failure, and rate_limited after too many
   * failures. An ended challenge is no guess: it is refused before any verification, and does not count.
   */
  async function signIn(passkey: PresentedPasskey): Promise<BegunSession> {
    if (await passkeyChallenges.isEnded(storage, PURPOSE, passkey.sealed)) {
      await signInRefusals.record({ reason: 'ended challenge' });
      throw new ServiceError('unauthorized', ENDED);
    }
    const who = { name: passkey.credential.id, address: passkey.address };
    return attempt(who, (refuse) => verify(passkey, refuse));
  }

  return { request, signIn };
}

export type PasskeySignIn = ReturnType<typeof createPasskeySignIn>;
