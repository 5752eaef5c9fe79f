import { customFetch, protectedResourceRequest, WWWAuthenticateChallengeError } from 'oauth4webapi';
import { errorCode } from './error-code.js';

/** Parameters of a Bearer challenge. */
export interface Challenge {
  readonly resourceMetadata?: string | undefined;
  readonly error?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
}

// The library scans the rest of the header for each parameter, so long headers are slow. Real challenges are shorter.
const LONGEST = 4096;
const ANYWHERE = new URL('https://resource.invalid/');

/**
 * Reads the Bearer challenge of a response; empty if there is none, or if the header has more than 4 KiB. The library reads
 * challenges only in responses to its own requests, so it gets `response` from a fetch that sends nothing.
 */
export async function challengeOf(response: Response): Promise<Challenge> {
  if ((response.headers.get('www-authenticate') ?? '').length > LONGEST) return {};
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
