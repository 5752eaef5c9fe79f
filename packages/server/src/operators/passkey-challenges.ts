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
  /** For the cookie of the browser that is to answer. */
  readonly sealed: string;
}

export interface OpenChallenge {
  readonly challenge: string;
  readonly expiresAt: number;
}

/** What an authenticator signs: 256 random bits for 5 minutes, which nothing is stored of before they are answered. */
export interface PasskeyChallenges {
  /** `purpose`: what the answer is good for, and for whom. */
  create(purpose: string): PasskeyChallenge;
  /** The challenge of a cookie that was made for this purpose and is not too old. */
  open(purpose: string, sealed: string | undefined): OpenChallenge | undefined;
  /** Whether nobody has answered it before: once, in one statement. */
  answer(tables: Pick<Tables, 'passkeys'>, open: OpenChallenge): Promise<boolean>;
}

export const CHALLENGE_LIFE_MS = 5 * 60_000;

export function createPasskeyChallenges({ digest, now, random }: PasskeyChallengesParts): PasskeyChallenges {
  const sealOf = (purpose: string, challenge: string, expiresAt: number) =>
    digest('passkey challenge', JSON.stringify([purpose, challenge, expiresAt]));

  return {
    create(purpose) {
      const challenge = newToken(random);
      const expiresAt = now() + CHALLENGE_LIFE_MS;
      return { challenge, sealed: `${challenge}.${expiresAt}.${sealOf(purpose, challenge, expiresAt)}` };
    },

    open(purpose, sealed = '') {
      const [challenge = '', expiry = '', seal = ''] = sealed.split('.');
      const expiresAt = Number(expiry);
      if (!isSame(seal, sealOf(purpose, challenge, expiresAt)) || expiresAt <= now()) return undefined;
      return { challenge, expiresAt };
    },

    answer: ({ passkeys }, { challenge, expiresAt }) =>
      passkeys.answer({ digest: digest('answered challenge', challenge), expiresAt }),
  };
}
