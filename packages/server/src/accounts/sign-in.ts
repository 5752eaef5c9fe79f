import type { AccessToken } from './access-tokens.js';
import type { Applications } from './applications.js';
import type { SignInLimits } from './sign-in-limits.js';

export interface SignInParts {
  readonly applications: Pick<Applications, 'verifyClient' | 'issueAccessToken' | 'authenticate'>;
  readonly signInLimits: SignInLimits;
}

export interface PresentedClient {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where it comes from. */
  readonly address: string;
}

/** How an application says who it is. Throws rate_limited after too many failures. */
export interface SignIn {
  issueAccessToken(client: PresentedClient): Promise<AccessToken>;
  authenticate(accessToken: string, address: string): Promise<{ readonly applicationId: string }>;
}

export const createSignIn = ({ applications, signInLimits }: SignInParts): SignIn => ({
  issueAccessToken: async ({ clientId, clientSecret, address }) =>
    applications.issueAccessToken(
      await signInLimits.attempt({ name: clientId, address }, () =>
        applications.verifyClient(clientId, clientSecret),
      ),
    ),

  // A right token is let in from an address that failed too often: 256 random bits are not guessed,
  // and a neighbour behind the same address must not stop an application.
  authenticate: async (accessToken, address) => {
    try {
      return await applications.authenticate(accessToken);
    } catch (error) {
      throw signInLimits.refuse(address, error);
    }
  },
});
