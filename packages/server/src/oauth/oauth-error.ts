import * as oauth from 'oauth4webapi';
import { ServiceError } from '../errors.js';
import { errorCode } from './error-code.js';

/**
 * refused: the server said no, and `error` says why.
 * unavailable: no answer, or one that says to come back later; whether the request had an effect is not known.
 * unusable: an answer that the protocol does not allow.
 */
export type OAuthFailure = 'refused' | 'unavailable' | 'unusable';

const CLIENT_REFUSED: ReadonlySet<string | undefined> = new Set(['invalid_client', 'unauthorized_client']);

/** The others are what OpenID Connect says of an authorization: Microsoft answers a refresh with them, too. */
const GRANT_OVER: ReadonlySet<string | undefined> = new Set([
  'invalid_grant',
  'interaction_required',
  'login_required',
  'consent_required',
]);

/** A step of the protocol that failed. Holds nothing of the answer but its error code, when that is a known one. */
export class OAuthError extends Error {
  readonly failure: OAuthFailure;
  readonly error: string | undefined;
  readonly status: number | undefined;
  /** Seconds. */
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
   * The client id, the client secret or what the client may do is not right: no user can help. Only an answer of the server
   * says so: what stands in a callback, whoever has the browser may have written there.
   */
  get isClientRefused(): boolean {
    return this.status !== undefined && CLIENT_REFUSED.has(this.error);
  }

  /** Nothing but a new approval of the user gives tokens again. */
  get isGrantOver(): boolean {
    return this.failure === 'refused' && GRANT_OVER.has(this.error);
  }
}

// The library's errors carry the whole answer as their cause, tokens included: only their message is taken over.
export function toOAuthError(thrown: unknown): OAuthError {
  if (thrown instanceof OAuthError) return thrown;
  if (thrown instanceof oauth.ResponseBodyError) {
    const error = errorCode(thrown.error);
    return new OAuthError('refused', `The authorization server refused the request: ${error}.`, {
      error,
      status: thrown.status,
    });
  }
  if (thrown instanceof oauth.AuthorizationResponseError) {
    const error = errorCode(thrown.error);
    return new OAuthError('refused', `The authorization was not given: ${error}.`, { error });
  }
  if (thrown instanceof oauth.OperationProcessingError || thrown instanceof oauth.UnsupportedOperationError) {
    return new OAuthError('unusable', `The authorization server's answer cannot be used: ${thrown.message}.`);
  }
  // Our own, which holds nothing of what was sent.
  const known = thrown instanceof ServiceError ? { cause: thrown } : undefined;
  return new OAuthError('unavailable', 'The authorization server could not be reached in time.', {}, known);
}
