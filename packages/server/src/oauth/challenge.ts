import { customFetch, protectedResourceRequest, WWWAuthenticateChallengeError } from 'oauth4webapi';
import { errorCode } from './error-code.js';

/** What a Bearer challenge may tell a client that has no token. */
export interface Challenge {
  readonly resourceMetadata?: string | undefined;
  readonly error?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
}

// The library looks at all that is left for every parameter; none that is meant to be read is as long.
const LONGEST = 4096;
const ANYWHERE = new URL('https://resource.invalid/');

/**
 * The Bearer challenge of an answer; empty when it has none, or one of more than 4 KiB. The library reads challenges only in answers to requests of
 * its own: the one that it makes here never leaves, and is answered with the answer that is there.
 */
export async function challengeOf(response: Response): Promise<Challenge> {
  if ((response.headers.get('www-authenticate') ?? '').length > LONGEST) return {};
  const answer = { [customFetch]: async () => response };
  try {
    await protectedResourceRequest('none', 'GET', ANYWHERE, undefined, undefined, answer);
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
