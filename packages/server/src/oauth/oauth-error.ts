import * as oauth from 'oauth4webapi';
import { ServiceError } from '../errors.js';
import { errorCode } from './error-code.js';

/**
 * refused: the server refused the request, and `error` has its code.
 * unavailable: no response, or one that asks for a retry. The request may have had an effect.
 * unusable: a response that violates the protocol.
 */
export type OAuthFailure = 'refused' | 'unavailable' | 'unusable';

const CLIENT_REFUSED: ReadonlySet<string | undefined> = new Set(['invalid_client', 'unauthorized_client']);

/** `invalid_grant`, and codes of OpenID Connect authorizations, with which Microsoft answers refreshes too. */
const GRANT_OVER: ReadonlySet<string | undefined> = new Set([
  'invalid_grant',
  'interaction_required',
  'login_required',
  'consent_required',
]);

/** A failed step of the protocol. Holds no text of the response except a known error code. */
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
   * True if the client id, the client secret or the client's rights are wrong, so that no user can help. Callbacks do not
   * count, because the user of the browser can write their parameters.
   */
  get isClientRefused(): boolean {
    return this.status !== undefined && CLIENT_REFUSED.has(this.error);
  }

  /** True for a refusal whose code no standard and no connector explains. */
  get isUnexplained(): boolean {
    return this.failure === 'refused' && this.error === 'other';
  }

  /** True if only a new consent of the user gives tokens again. */
  get isGrantOver(): boolean {
    return this.failure === 'refused' && GRANT_OVER.has(this.error);
  }
}

// The library's errors have the whole response as cause, tokens included. Only their message is kept.
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
    return new OAuthError('refused', `The authorization server denied the access: ${error}.`, { error });
  }
  if (thrown instanceof oauth.OperationProcessingError || thrown instanceof oauth.UnsupportedOperationError) {
    return new OAuthError('unusable', `The authorization server's response is invalid: ${thrown.message}.`);
  }
  // A ServiceError of this service holds no data of the request.
  const known = thrown instanceof ServiceError ? { cause: thrown } : undefined;
  return new OAuthError('unavailable', 'The authorization server could not be reached in time.', {}, known);
}
