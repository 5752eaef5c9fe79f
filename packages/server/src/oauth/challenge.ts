import { customFetch, protectedResourceRequest, WWWAuthenticateChallengeError } from 'oauth4webapi';
import { errorCode } from './error-code.js';

/** Parameters of a Bearer challenge in a `WWW-Authenticate` header. */
export interface Challenge {
  readonly resourceMetadata?: string | undefined;
  readonly error?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
}

// Maximum characters of a WWW-Authenticate header that is parsed. The OAuth library rescans the rest of the header for
// each parameter, so long headers would cost much CPU time.
const MAX_CHARACTERS = 4096;
const ANYWHERE = new URL('https://resource.invalid/');

/**
 * Reads the Bearer challenge of a response. Returns an empty object without a challenge, or for a header over 4 KiB.
 * The library parses only responses to its own requests, so a fake fetch hands `response` to the library.
 */
export async function challengeOf(response: Response): Promise<Challenge> {
  if ((response.headers.get('www-authenticate') ?? '').length > MAX_CHARACTERS) return {};
  const options = { [customFetch]: async () => response };
  try {
    await protectedResourceRequest('none', 'GET', ANYWHERE, undefined, undefined, options);
    return {};
  } catch (error) {
    if (!(error instanceof WWWAuthenticateChallengeError)) return {};
    const bearer = error.cause.find(({ scheme }) => scheme === 'bearer');
    if (bearer === undefined) return {};
    const { resource_metadata: resourceMetadata, error: code, scope } = bearer.parameters;
    return {
      resourceMetadata,
      error: code && errorCode(code),
      scopes: scope?.split(' ').filter((name) => name !== ''),
    };
  }
}
