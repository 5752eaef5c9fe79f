import type { GivenToken } from './config.js';
import { assert, ServiceError } from './errors.js';
import type { SenderSettings } from './send-once.js';
import { sender } from './sender.js';

interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Response of the service's token endpoint. */
interface TokenResponse {
  access_token: string;
  /** Lifetime of the access token in seconds. */
  expires_in: number;
}

/**
 * Creates the function that requests the application's token with the client credentials grant (RFC 6749 section
 * 4.4).
 */
export function signIn(settings: SenderSettings, credentials: ClientCredentials): () => Promise<GivenToken> {
  const send = sender(() => settings);
  const form_data = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: credentials.clientId,
    client_secret: credentials.clientSecret,
  });
  return async () => {
    try {
      // Retries the token request like a GET, because a second token does no harm.
      const { data } = await send({ method: 'POST', path: '/oauth/token', form_data }, { readOnly: true });
      const { access_token, expires_in } = (data ?? {}) as Partial<TokenResponse>;
      assert(
        access_token && expires_in,
        'unexpected_response',
        `The token request returned no token. Check environmentUrl (${settings.environmentUrl}) and any proxy in front of the service.`,
      );
      return { token: access_token, expiresAt: new Date(Date.now() + expires_in * 1000).toISOString() };
    } catch (error) {
      throw error instanceof ServiceError ? withOAuthDescription(error) : error;
    }
  };
}

/**
 * Uses `error_description` as the message of the error, because OAuth errors have it instead of `message` (RFC 6749
 * section 5.2).
 */
function withOAuthDescription(error: ServiceError): ServiceError {
  const { body } = (error.details ?? {}) as { body?: { error_description?: string } | null };
  if (body?.error_description) error.message = body.error_description;
  return error;
}
