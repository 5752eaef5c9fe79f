import { newToken, type Random } from '../random.js';
import type { Tables } from '../storage/storage.js';
import { isSame } from '../text/is-same.js';
import type { Digest } from '../vault/pepper.js';

export interface PasskeyChallengesParts {
  readonly digest: Digest;
  readonly now: () => number;
  readonly random: Random;
}

export interface PasskeyChallenge {
  readonly challenge: string;
  /** Cookie value for the browser that requested the challenge. */
  readonly sealed: string;
}

export interface OpenChallenge {
  readonly challenge: string;
  readonly expiresAt: number;
}

export const CHALLENGE_LIFE_MS = 5 * 60_000;

/** Challenges for authenticators: 256 random bits, valid for 5 minutes. Nothing is stored before the response. */
export function createPasskeyChallenges({ digest, now, random }: PasskeyChallengesParts) {
  const sealOf = (purpose: string, challenge: string, expiresAt: number) =>
    digest('passkey challenge', JSON.stringify([purpose, challenge, expiresAt]));

  /** `purpose` names the operation and the operator that the challenge is valid for. */
  function create(purpose: string): PasskeyChallenge {
    const challenge = newToken(random);
    const expiresAt = now() + CHALLENGE_LIFE_MS;
    return { challenge, sealed: `${challenge}.${expiresAt}.${sealOf(purpose, challenge, expiresAt)}` };
  }

  /** Gives the challenge of a cookie; `undefined` for another purpose and after expiry. */
  function open(purpose: string, sealed: string | undefined = ''): OpenChallenge | undefined {
    const [challenge = '', expiry = '', seal = ''] = sealed.split('.');
    const expiresAt = Number(expiry);
    if (!isSame(seal, sealOf(purpose, challenge, expiresAt)) || expiresAt <= now()) return undefined;
    return { challenge, expiresAt };
  }

  /** Marks the challenge as answered, in one statement. Gives false if it was answered before. */
  function answer(
    { passkeys }: Pick<Tables, 'passkeys'>,
    { challenge, expiresAt }: OpenChallenge,
  ): Promise<boolean> {
    return passkeys.answer({ digest: digest('answered challenge', challenge), expiresAt });
  }

  return { create, open, answer };
}

export type PasskeyChallenges = ReturnType<typeof createPasskeyChallenges>;
