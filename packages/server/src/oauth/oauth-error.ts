import * as oauth from 'oauth4webapi';
import { ServiceError } from '../errors.js';
import { errorCode } from './error-code.js';

/**
 * Kind of failure. `refused`: the server refused the request with the code in `error`. `unavailable`: no response, or
 * one that requests a retry; the request may still have had an effect. `unusable`: the response violates the protocol.
 */
export type OAuthFailure = 'refused' | 'unavailable' | 'unusable';

const CLIENT_REFUSED: ReadonlySet<string | undefined> = new Set(['invalid_client', 'unauthorized_client']);

/**
 * Error codes after which the user must consent again. Microsoft also sends the OpenID Connect codes when it refuses a
 * token refresh.
 */
const GRANT_OVER: ReadonlySet<string | undefined> = new Set([
  'invalid_grant',
  'interaction_required',
  'login_required',
  'consent_required',
]);

/**
 * Failed OAuth request. Contains no text of the response except a known error code, because the response may contain
 * tokens.
 */
export class OAuthError extends Error {
  readonly failure: OAuthFailure;
  readonly error: string | undefined;
  readonly status: number | undefined;
  /** Seconds after which the server allows a retry; `undefined` if the server does not say. */
  readonly retryAfter: number | undefined;

  constructor(
    failure: OAuthFailure,
    message: string,
    facts: {
      readonly error?: string;
      readonly status?: number;
      readonly retryAfter?: number | undefined;
    } = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'OAuthError';
    this.failure = failure;
    this.error = facts.error && errorCode(facts.error);
    this.status = facts.status;
    this.retryAfter = facts.retryAfter;
  }

  /**
   * True if the client id, the client secret or the client's rights are wrong, so that no user can fix the failure.
   * Errors from callbacks do not count, because a user can forge the callback parameters.
   */
  get isClientRefused(): boolean {
    return this.status !== undefined && CLIENT_REFUSED.has(this.error);
  }

  /** True for a refusal with an error code that neither a standard nor a connector defines. */
  get isUnexplained(): boolean {
    return this.failure === 'refused' && this.error === 'other';
  }

  /** True if the refresh token is no longer valid, so that the user must consent again. */
  get isGrantOver(): boolean {
    return this.failure === 'refused' && GRANT_OVER.has(this.error);
  }
}

const REMEDIES: ReadonlyMap<string, string> = new Map([
  ['invalid_client', 'Check the client id and the client secret of the connection.'],
  [
    'unauthorized_client',
    "Check the client id of the connection, and the type of the OAuth client in the upstream's console.",
  ],
  ['invalid_scope', 'Check the scopes of the connection.'],
  [
    'invalid_redirect_uri',
    'Register the "redirectUri" of the connection for an OAuth client in the upstream\'s console, and set "clientId" and "clientSecret" of the connection.',
  ],
]);

function remedyOf(error: string): string {
  if (GRANT_OVER.has(error)) return 'Ask the user to consent again.';
  return (
    REMEDIES.get(error) ??
    'Check the OAuth client (client id, client secret, redirect URI and scopes), or let the user consent again.'
  );
}

// Rewords the library's messages about a response, because they name variables of the library.
const reworded = (message: string): string =>
  message
    .replace('"response" is not a conform ', 'its response is not a valid ')
    .replace('"response" body ', 'in its response, the ');

// The library's errors carry the whole response as `cause`, tokens included. Only the message and the error code are
// copied.
export function toOAuthError(thrown: unknown): OAuthError {
  if (thrown instanceof OAuthError) return thrown;
  if (thrown instanceof oauth.ResponseBodyError) {
    const error = errorCode(thrown.error);
    return new OAuthError(
      'refused',
      `The authorization server refused the request with the error ${error}. ${remedyOf(error)}`,
      {
        error,
        status: thrown.status,
      },
    );
  }
  if (thrown instanceof oauth.AuthorizationResponseError) {
    const error = errorCode(thrown.error);
    return new OAuthError(
      'refused',
      `The authorization server denied the access with the error ${error}. Ask the user to start the consent again.`,
      { error },
    );
  }
  if (thrown instanceof oauth.OperationProcessingError || thrown instanceof oauth.UnsupportedOperationError) {
    return new OAuthError(
      'unusable',
      `The authorization server broke the OAuth protocol: ${reworded(thrown.message)}. Report this to the operator of the authorization server.`,
    );
  }
  // A ServiceError is safe as `cause`, because this service puts no request data into its errors.
  const known = thrown instanceof ServiceError ? { cause: thrown } : undefined;
  return new OAuthError(
    'unavailable',
    'The authorization server could not be reached in time. Retry later.',
    {},
    known,
  );
}
