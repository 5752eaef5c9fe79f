import type { ApprovalObject } from './call-resources.js';
import type { AuthorizationLink } from './resources.js';
import type { CallOptions } from './tool.js';

/** Fields of a `ServiceError`. */
export interface Failure {
  /** Error code, such as `connection_not_found`. */
  code: string;
  message: string;
  /** HTTP status of the response. Absent without a response. */
  status?: number | undefined;
  /** Further facts, which the error also has as fields. */
  details?: object | undefined;
  requestId?: string | undefined;
  /** Seconds to wait before a retry. */
  retryAfter?: number | undefined;
  idempotencyKey?: string | undefined;
  cause?: unknown;
}

const BRAND: unique symbol = Symbol.for('@svc/core') as never;

/** Error of a failed call. Branch on the subclass or on `code`. The README lists all codes. */
export class ServiceError extends Error {
  override name = 'ServiceError';
  /** Code of the failure, such as `connection_not_found`. */
  declare readonly code: string;
  /** HTTP status of the response. Undefined when there was no response. */
  declare readonly status: number | undefined;
  /** Further facts about the failure. The subclasses have them as fields. */
  declare readonly details: { readonly [name: string]: unknown } | undefined;
  /** Id that the service gave the request. The service's log contains it too. */
  declare readonly requestId: string | undefined;
  /** Seconds to wait before a retry. Set when the response had a `Retry-After` header. */
  declare readonly retryAfter: number | undefined;
  /** Idempotency key of the call. Repeating the call with this key returns the response that was lost. */
  declare readonly idempotencyKey: string | undefined;

  constructor(failure: Failure) {
    super(failure.message, failure);
    Object.assign(this, failure.details, failure);
  }

  get [BRAND](): true {
    return true;
  }

  /** Returns the fields for `JSON.stringify`, which would leave out the message. */
  toJSON(): object {
    return { ...this, message: this.message };
  }
}

/** Checks whether a value is an error of this package, or of another copy of the package in the program. */
export function isServiceError(error: unknown): error is ServiceError;
/**
 * Checks whether a value is an error with this code, of this package or of another copy of the package in the program.
 * Types the fields of the error.
 */
export function isServiceError<Code extends string>(
  error: unknown,
  code: Code,
): error is Code extends keyof Classes ? Classes[Code] : ServiceError;
export function isServiceError(error: unknown, code?: string): boolean {
  const own = error as Partial<ServiceError> | null | undefined;
  return own?.[BRAND] === true && (code === undefined || own.code === code);
}

/** Rule that an input breaks. */
export interface InputProblem {
  /** Path of the invalid value in the input, such as `blocks[3].type`. */
  field: string;
  /** Name of the broken rule, such as `required` or `maxLength`. */
  rule: string;
  /** Message that describes a valid value. */
  message: string;
  /** JSON type of the given value, such as `string`. Never the value itself. */
  received?: string;
}

/** `invalid_input`: the input breaks rules of the tool. Nothing was sent to the upstream. */
export class InvalidInputError extends ServiceError {
  override name = 'InvalidInputError';
  /** All rules that the input breaks. */
  declare readonly errors: readonly InputProblem[];
}

/** `account_not_authorized`: the user has not given consent yet, or must give it again. */
export class AccountNotAuthorizedError extends ServiceError {
  override name = 'AccountNotAuthorizedError';
  declare readonly connectionName: string;
  /** Identifier of the user in the application, such as `user_42`. */
  declare readonly identifier: string;
  /** Label of the account, if the user has several accounts on the connection. */
  declare readonly account?: string;
  /** Path of the service at which POST creates the authorization link. `getLink` uses it. */
  declare readonly authorizationLinkPath: string;
  /** Reason why the access of the account ended, such as `refresh_refused`. Undefined if it never had access. */
  declare readonly statusReason: string | undefined;
  /** Scopes that the call needs and the user has not granted. Undefined unless scopes are missing. */
  declare readonly requiredScopes: readonly string[] | undefined;
  /** Name of the secondary credential that is missing. Undefined unless such a credential is missing. */
  declare readonly credential: string | undefined;
  /** Creates the authorization link to show to the user. */
  declare getLink: (options?: CallOptions) => Promise<AuthorizationLink>;
}

/**
 * `approval_required`: a person must approve the call, and nothing ran. Repeat the call after the approval to get its
 * result.
 */
export class ApprovalRequiredError extends ServiceError {
  override name = 'ApprovalRequiredError';
  /** Id of the pending approval. */
  declare readonly id: string;
  /** URL of the page on which a person approves or denies the call. */
  declare readonly link: string;
  /** Time at which the approval expires, in ISO 8601. */
  declare readonly expiresAt: string;
  /** Object that the call would change. Undefined if the service could not read it, or if the caller may not. */
  declare readonly object: ApprovalObject | undefined;
}

/**
 * `upstream_failed`: the upstream responded with an error. `status` is the upstream's status. The service itself
 * responds with 422 or 424 when the upstream rejected the call, and with 502 when the upstream failed.
 */
export class UpstreamError extends ServiceError {
  override name = 'UpstreamError';
  /** HTTP status of the upstream's response. */
  declare readonly status: number;
  /** Body of the upstream's error response: parsed JSON, or text. */
  declare readonly body: unknown;
  /** Advice from the connector about the error. Undefined when the connector has none. */
  declare readonly advice: string | undefined;
  /**
   * `input_rejected`: the upstream rejects the input, so change it. `call_rejected`: another 4xx. `outcome_unknown`: an
   * earlier attempt may have taken effect. Undefined when the upstream failed, and for proxied requests.
   */
  declare readonly reason: 'input_rejected' | 'call_rejected' | 'outcome_unknown' | undefined;
  /** Number of attempts that the service made to call the upstream. Set only after retries. */
  declare readonly attempts: number | undefined;
}

/** `rate_limited`: too many calls. Nothing ran. Wait `retryAfter` seconds. */
export class RateLimitedError extends ServiceError {
  override name = 'RateLimitedError';
}

/**
 * `connection_failed`: no response arrived. `status` is undefined if the service did not respond, and 502 if the
 * upstream did not.
 */
export class ConnectionError extends ServiceError {
  override name = 'ConnectionError';
}

/**
 * `timeout`: the service did not respond in time (`status` is undefined). `upstream_timeout`: the upstream did not
 * respond in time (`status` 504).
 */
export class TimeoutError extends ServiceError {
  override name = 'TimeoutError';
}

interface Classes {
  invalid_input: InvalidInputError;
  account_not_authorized: AccountNotAuthorizedError;
  approval_required: ApprovalRequiredError;
  upstream_failed: UpstreamError;
  rate_limited: RateLimitedError;
  connection_failed: ConnectionError;
  upstream_timeout: TimeoutError;
  timeout: TimeoutError;
}

const CLASSES: Readonly<Record<keyof Classes, typeof ServiceError>> = {
  invalid_input: InvalidInputError,
  account_not_authorized: AccountNotAuthorizedError,
  approval_required: ApprovalRequiredError,
  upstream_failed: UpstreamError,
  rate_limited: RateLimitedError,
  connection_failed: ConnectionError,
  upstream_timeout: TimeoutError,
  timeout: TimeoutError,
};

/** Creates an error of the `ServiceError` subclass that belongs to the code of the failure. */
export function toServiceError(failure: Failure): ServiceError {
  const ErrorClass = CLASSES[failure.code as keyof Classes] ?? ServiceError;
  return new ErrorClass(failure);
}

/** Throws a `ServiceError` unless the condition is true. */
export function assert(condition: unknown, code: string, message: string): asserts condition {
  if (!condition) throw toServiceError({ code, message });
}
