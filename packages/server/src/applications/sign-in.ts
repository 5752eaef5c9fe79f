import type { SignInLimits } from '../limits/sign-in-limits.js';
import type { AccessToken } from '../tokens/access-tokens.js';
import { isRandomSecret } from '../tokens/client-secret.js';
import type { Bearer, NarrowedTokens } from '../tokens/narrowed-tokens.js';
import { isNarrowedToken } from '../tokens/token-chain.js';
import type { Applications } from './applications.js';

export interface SignInParts {
  readonly applications: Pick<Applications, 'verifyClient' | 'issueAccessToken' | 'held' | 'authenticate'>;
  readonly narrowedTokens: Pick<NarrowedTokens, 'held' | 'authenticate'>;
  readonly signInLimits: SignInLimits;
}

export interface PresentedClient {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where it comes from. */
  readonly address: string;
  /** Told whose the secret is, before a token is made; may throw. */
  readonly onVerified?: (applicationId: string) => void;
}

/** How an application says who it is, and whoever has a token of it. Throws rate_limited after too many failures. */
export interface SignIn {
  issueAccessToken(client: PresentedClient): Promise<AccessToken>;
  /** What `authenticate` would give, when it is at hand. */
  held(accessToken: string): Bearer | undefined;
  authenticate(accessToken: string, address: string): Promise<Bearer>;
}

export const createSignIn = ({ applications, narrowedTokens, signInLimits }: SignInParts): SignIn => ({
  // A right secret or token of 256 random bits is let in however often others have failed: it is not guessed,
  // but behind one address, such as a proxy's, anybody could lock an application out. A chosen secret may be guessed.
  issueAccessToken: async ({ clientId, clientSecret, address, onVerified }) => {
    const who = { name: clientId, address };
    const client = await applications.verifyClient(clientId, clientSecret).catch((error: unknown) => {
      throw signInLimits.refuse(who, error);
    });
    if (!isRandomSecret(clientSecret)) signInLimits.check(who);
    onVerified?.(client.applicationId);
    return applications.issueAccessToken(client);
  },

  held: (accessToken) =>
    isNarrowedToken(accessToken) ? narrowedTokens.held(accessToken) : applications.held(accessToken),

  authenticate: async (accessToken, address) => {
    try {
      const tokens = isNarrowedToken(accessToken) ? narrowedTokens : applications;
      return await tokens.authenticate(accessToken);
    } catch (error) {
      throw signInLimits.refuse({ address }, error);
    }
  },
});
