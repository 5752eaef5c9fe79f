import { ServiceError } from '../errors.js';

const BEARER = /^Bearer +(\S+)$/i;

/** Sentence that says which tokens the routes of the API accept. */
const TOKENS_OF_API =
  'Send "Authorization: Bearer <access token>" with an access token from POST /oauth/token, or with a token that an application created for its user.';

/**
 * Reads the access token from the Authorization header. Throws `unauthorized` if the header is missing or is not a
 * bearer token. `advice`: sentence that says which tokens the route accepts.
 */
export function readBearer(authorization: string | undefined, advice = TOKENS_OF_API): string {
  const [, accessToken] = BEARER.exec(authorization ?? '') ?? [];
  if (accessToken !== undefined) return accessToken;
  throw new ServiceError('unauthorized', `The request has no bearer token. ${advice}`);
}
