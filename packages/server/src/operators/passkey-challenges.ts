import type { Tables } from '../storage/storage.js';
import { isSame } from '../text/is-same.js';
import { newToken, type Random } from '../text/random.js';
import type { Digest } from '../vault/pepper.js';

export interface PasskeyChallengesParts {
  readonly digest: Digest;
  readonly now: () => number;
  readonly random: Random;
}

export interface PasskeyChallenge {
  readonly challenge: string;
  /**
   * Value of a cookie: the challenge, its expiry, and an HMAC by which `open` detects a changed cookie. The browser
   * keeps the challenge, because the server stores only answered ones.
   */
  readonly sealed: string;
}

export interface OpenChallenge {
  readonly challenge: string;
  readonly expiresAt: number;
}

export const CHALLENGE_LIFE_MS = 5 * 60_000;

/**
 * Creates WebAuthn challenges: 256 random bits, valid for 5 minutes. The server stores a challenge only once it was
 * answered.
 */
export function createPasskeyChallenges({ digest, now, random }: PasskeyChallengesParts) {
  const sealOf = (purpose: string, challenge: string, expiresAt: number) =>
    digest('passkey challenge', JSON.stringify([purpose, challenge, expiresAt]));

  /**
   * Creates a challenge. `purpose` names the only operation, and for a registration the only operator, that the
   * challenge is valid for.
   */
  function create(purpose: string): PasskeyChallenge {
    const challenge = newToken(random);
    const expiresAt = now() + CHALLENGE_LIFE_MS;
    return { challenge, sealed: `${challenge}.${expiresAt}.${sealOf(purpose, challenge, expiresAt)}` };
  }

  /** Reads the challenge from a cookie value. Returns `undefined` for a forged cookie, or one for another purpose. */
  function read(purpose: string, sealed: string | undefined = ''): OpenChallenge | undefined {
    const [challenge = '', expiry = '', seal = ''] = sealed.split('.');
    const expiresAt = Number(expiry);
    return isSame(seal, sealOf(purpose, challenge, expiresAt)) ? { challenge, expiresAt } : undefined;
  }

  /** Reads a challenge that has not expired. Returns `undefined` for every other cookie value. */
  function open(purpose: string, sealed: string | undefined): OpenChallenge | undefined {
    const given = read(purpose, sealed);
    return given !== undefined && given.expiresAt > now() ? given : undefined;
  }

  const digestOf = (challenge: string) => digest('answered challenge', challenge);

  /** Returns true if this service created the challenge for `purpose`, and the challenge has expired or was used. */
  async function isEnded(
    { passkeys }: Pick<Tables, 'passkeys'>,
    purpose: string,
    sealed: string | undefined,
  ): Promise<boolean> {
    const given = read(purpose, sealed);
    if (given === undefined) return false;
    return given.expiresAt <= now() || passkeys.isChallengeUsed(digestOf(given.challenge));
  }

  /** Marks the challenge as used, in a single statement. Returns false if the challenge was used before. */
  function complete(
    { passkeys }: Pick<Tables, 'passkeys'>,
    { challenge, expiresAt }: OpenChallenge,
  ): Promise<boolean> {
    return passkeys.completeChallenge({ digest: digestOf(challenge), expiresAt });
  }

  return { create, open, isEnded, complete };
}

export type PasskeyChallenges = ReturnType<typeof createPasskeyChallenges>;
