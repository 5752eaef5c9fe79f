import * as oauth from 'oauth4webapi';
import { ServiceError } from '../errors.js';
import { errorCode } from './error-code.js';

/**
 * refused: the server said no, and `error` says why.
 * unavailable: no answer, or one that says to come back later; whether the request had an effect is not known.
 * unusable: an answer that the protocol does not allow.
 */
export type OAuthFailure = 'refused' | 'unavailable' | 'unusable';

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

  /** The client id, the client secret or what the client may do is not right: no user can help. */
  get isClientRefused(): boolean {
    return this.error === 'invalid_client' || this.error === 'unauthorized_client';
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
