import { ServiceError } from '../errors.js';

const BEARER = /^Bearer +(\S+)$/i;

/** Sentence for error messages that says which tokens the API routes accept. */
const TOKENS_OF_API =
  'Send "Authorization: Bearer <access token>" with an access token from POST /oauth/token, or with a token that an application created for its user.';

/**
 * Reads the access token from the Authorization header. Throws `unauthorized` if the header is missing or contains no
 * bearer token. `advice`: sentence for the error that says which tokens the route accepts.
 */
export function readBearer(authorization: string | undefined, advice = TOKENS_OF_API): string {
  const [, accessToken] = BEARER.exec(authorization ?? '') ?? [];
  if (accessToken !== undefined) return accessToken;
  throw new ServiceError('unauthorized', `The request has no bearer token. ${advice}`);
}
