import type { SignInLimits } from '../limits/sign-in-limits.js';
import type { AccessToken } from '../tokens/access-tokens.js';
import { isRandomSecret } from '../tokens/client-secret.js';
import type { Bearer, NarrowedTokens } from '../tokens/narrowed-tokens.js';
import { isNarrowedToken } from '../tokens/token-chain.js';
import type { Applications } from './applications.js';

export interface SignInParts {
  readonly applications: Pick<
    Applications,
    'verifyClient' | 'issueAccessToken' | 'isOurs' | 'cached' | 'authenticate'
  >;
  readonly narrowedTokens: Pick<NarrowedTokens, 'isOurs' | 'cached' | 'authenticate'>;
  readonly signInLimits: SignInLimits;
}

export interface PresentedClient {
  readonly clientId: string;
  readonly clientSecret: string;
  /** IP address of the caller. */
  readonly address: string;
  /** Called after verification, before a token is issued. May throw. */
  readonly onVerified?: (applicationId: string) => void;
}

/** Sign-in of applications and bearers of their tokens. Throws rate_limited after too many failures. */
export function createSignIn({ applications, narrowedTokens, signInLimits }: SignInParts) {
  // Failures never block a right random secret or token of 256 bits, because it cannot be guessed. Otherwise anyone behind the
  // same address, such as a proxy, could lock an application out. A chosen secret may be guessed, so it is limited.
  async function issueAccessToken({
    clientId,
    clientSecret,
    address,
    onVerified,
  }: PresentedClient): Promise<AccessToken> {
    const who = { name: clientId, address };
    const client = await applications.verifyClient(clientId, clientSecret).catch((error: unknown) => {
      throw signInLimits.refuse(who, error);
    });
    if (!isRandomSecret(clientSecret)) signInLimits.check(who);
    onVerified?.(client.applicationId);
    return applications.issueAccessToken(client);
  }

  /** The cached result of `authenticate`. */
  function cached(accessToken: string): Bearer | undefined {
    return isNarrowedToken(accessToken)
      ? narrowedTokens.cached(accessToken)
      : applications.cached(accessToken);
  }

  async function authenticate(accessToken: string, address: string): Promise<Bearer> {
    const tokens = isNarrowedToken(accessToken) ? narrowedTokens : applications;
    try {
      return await tokens.authenticate(accessToken);
    } catch (error) {
      // An expired token is no guess. Its client must always learn that it needs a new one, so no limit applies.
      throw tokens.isOurs(accessToken) ? error : signInLimits.refuse({ address }, error);
    }
  }

  return { issueAccessToken, cached, authenticate };
}

export type SignIn = ReturnType<typeof createSignIn>;
