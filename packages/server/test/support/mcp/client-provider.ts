import type { OAuthDiscoveryState } from '@modelcontextprotocol/client';
import { REDIRECT_URI } from './sign-in.js';

/**
 * Creates an OAuth client provider that stores its state in memory, as a native client stores it on a user's device.
 */
export function createProvider(clientId: string) {
  const stored: {
    discovered?: OAuthDiscoveryState;
    url?: URL;
    verifier?: string;
    tokens?: { access_token: string; token_type: string };
  } = {};
  return {
    stored,
    provider: {
      redirectUrl: REDIRECT_URI,
      clientMetadata: { client_name: 'Desk helper', redirect_uris: [REDIRECT_URI] },
      clientInformation: () => ({ client_id: clientId }),
      tokens: () => stored.tokens,
      saveTokens: (tokens: { access_token: string; token_type: string }) => {
        stored.tokens = tokens;
      },
      redirectToAuthorization: (url: URL) => {
        stored.url = url;
      },
      saveCodeVerifier: (verifier: string) => {
        stored.verifier = verifier;
      },
      codeVerifier: () => stored.verifier ?? '',
      saveDiscoveryState: (state: OAuthDiscoveryState) => {
        stored.discovered = state;
      },
      discoveryState: () => stored.discovered,
    },
  };
}
