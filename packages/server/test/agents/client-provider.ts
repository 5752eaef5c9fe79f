import type { OAuthDiscoveryState } from '@modelcontextprotocol/client';
import { REDIRECT_URI } from './sign-in.js';

/** Creates an OAuth client provider that keeps its state in memory, as a native client keeps it on a user's device. */
export function createProvider(clientId: string) {
  const kept: {
    discovered?: OAuthDiscoveryState;
    url?: URL;
    verifier?: string;
    tokens?: { access_token: string; token_type: string };
  } = {};
  return {
    kept,
    provider: {
      redirectUrl: REDIRECT_URI,
      clientMetadata: { client_name: 'Desk helper', redirect_uris: [REDIRECT_URI] },
      clientInformation: () => ({ client_id: clientId }),
      tokens: () => kept.tokens,
      saveTokens: (tokens: { access_token: string; token_type: string }) => {
        kept.tokens = tokens;
      },
      redirectToAuthorization: (url: URL) => {
        kept.url = url;
      },
      saveCodeVerifier: (verifier: string) => {
        kept.verifier = verifier;
      },
      codeVerifier: () => kept.verifier ?? '',
      saveDiscoveryState: (state: OAuthDiscoveryState) => {
        kept.discovered = state;
      },
      discoveryState: () => kept.discovered,
    },
  };
}
