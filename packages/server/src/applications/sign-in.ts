import type { SignInLimits } from '../limits/sign-in-limits.js';
import type { AccessToken } from '../tokens/access-tokens.js';
import { isRandomSecret } from '../tokens/client-secret.js';
import type { Bearer, NarrowedTokens } from '../tokens/narrowed-tokens.js';
import { isNarrowedToken } from '../tokens/token-chain.js';
import type { Applications } from './applications.js';

export interface SignInParts {
  readonly applications: Pick<
    Applications,
    'verifyClient' | 'isRevoked' | 'issueAccessToken' | 'isOurs' | 'cached' | 'authenticate'
  >;
  readonly narrowedTokens: Pick<NarrowedTokens, 'isOurs' | 'cached' | 'authenticate'>;
  readonly signInLimits: SignInLimits;
}

export interface PresentedClient {
  readonly clientId: string;
  readonly clientSecret: string;
  /** IP address of the client. Failed sign-in attempts are counted per address. */
  readonly address: string;
  /**
   * Callback after the client secret was verified and before the access token is issued. An error that the callback
   * throws prevents the token.
   */
  readonly onVerified?: (applicationId: string) => void;
}

/**
 * Creates the functions that authenticate applications by their client secret, and requests by their access token.
 * Both throw rate_limited after too many failures.
 */
export function createSignIn({ applications, narrowedTokens, signInLimits }: SignInParts) {
  // Failed attempts never block a correct random secret or token of 256 bits, because nobody can guess it. Otherwise
  // anyone behind a shared IP address, such as a proxy, could lock an application out. A secret that a person chose can
  // be guessed, so it is rate limited.
  async function issueAccessToken({
    clientId,
    clientSecret,
    address,
    onVerified,
  }: PresentedClient): Promise<AccessToken> {
    const who = { name: clientId, address };
    const client = await applications.verifyClient(clientId, clientSecret).catch(async (error: unknown) => {
      throw (await applications.isRevoked(clientId, clientSecret)) ? error : signInLimits.refuse(who, error);
    });
    if (!isRandomSecret(clientSecret)) signInLimits.check(who);
    onVerified?.(client.applicationId);
    return applications.issueAccessToken(client);
  }

  /** Returns the cached bearer of an access token without waiting. Returns `undefined` if the token is not cached. */
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
      // Presenting an expired token of this service is not guessing, so it is not rate limited. The client must always
      // learn that it needs a new token.
      throw tokens.isOurs(accessToken) ? error : signInLimits.refuse({ address }, error);
    }
  }

  return { issueAccessToken, cached, authenticate };
}

export type SignIn = ReturnType<typeof createSignIn>;
