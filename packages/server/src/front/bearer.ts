import { ServiceError } from '../errors.js';

const BEARER = /^Bearer +(\S+)$/i;

/**
 * Reads the access token from the Authorization header. Throws `unauthorized` if the header is missing or is not a
 * bearer token.
 */
export function readBearer(authorization: string | undefined): string {
  const [, accessToken] = BEARER.exec(authorization ?? '') ?? [];
  if (accessToken !== undefined) return accessToken;
  throw new ServiceError(
    'unauthorized',
    'The request has no bearer token. Send "Authorization: Bearer <access token>" with an access token from POST /oauth/token, or with a token that an application created for its user.',
  );
}
