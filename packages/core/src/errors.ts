import type { AuthorizationLink } from './resources.js';
import type { CallOptions } from './tool.js';

/** The fields of an error. */
export interface Failure {
  code: string;
  message: string;
  status?: number | undefined;
  details?: object | undefined;
  requestId?: string | undefined;
  retryAfter?: number | undefined;
  idempotencyKey?: string | undefined;
  cause?: unknown;
}

const BRAND: unique symbol = Symbol.for('@svc/core') as never;

/** Every failure of a call. Branch on the subclass or on `code`. The README lists all codes. */
export class ServiceError extends Error {
  override name = 'ServiceError';
  /** Names the failure, such as `connection_not_found`. */
  declare readonly code: string;
  /** The HTTP status of the response. Undefined when there was none. */
  declare readonly status: number | undefined;
  /** More about the failure. The subclasses have it as fields. */
  declare readonly details: object | undefined;
  /** The service's id of the request, which its log has too. */
  declare readonly requestId: string | undefined;
  /** Seconds to wait before a retry, when the response had a `Retry-After`. */
  declare readonly retryAfter: number | undefined;
  /** The idempotency key of the call. The same call with this key gives the response that was missed. */
  declare readonly idempotencyKey: string | undefined;

  constructor(failure: Failure) {
    super(failure.message, failure);
    Object.assign(this, failure.details, failure);
  }

  get [BRAND](): true {
    return true;
  }
}

/**
 * True if a value is an error of this package, or of another copy of it in the program. With a code, true only for that failure,
 * whose fields are then typed.
 */
export function isServiceError(error: unknown): error is ServiceError;
export function isServiceError<Code extends string>(
  error: unknown,
  code: Code,
): error is Code extends keyof Classes ? Classes[Code] : ServiceError;
export function isServiceError(error: unknown, code?: string): boolean {
  const own = error as Partial<ServiceError> | null | undefined;
  return own?.[BRAND] === true && (code === undefined || own.code === code);
}

/** One broken rule of an input. */
export interface InputProblem {
  /** The path of the value, such as `blocks[3].type`. */
  field: string;
  /** The rule, such as `required` or `maxLength`. */
  rule: string;
  /** Describes a valid value. */
  message: string;
  /** The kind of the value that was given. */
  received?: string;
}

/** `invalid_input`: the input breaks the tool's rules, and nothing was sent upstream. */
export class InvalidInputError extends ServiceError {
  override name = 'InvalidInputError';
  /** All rules that the input breaks. */
  declare readonly errors: readonly InputProblem[];
}

/** `account_not_authorized`: the user has not given consent yet, or has to give it again. */
export class AccountNotAuthorizedError extends ServiceError {
  override name = 'AccountNotAuthorizedError';
  declare readonly connectionName: string;
  /** The user, as the application names them. */
  declare readonly identifier: string;
  declare readonly authorizationLinkPath: string;
  /** Creates the link to show to the user. */
  declare getLink: (options?: CallOptions) => Promise<AuthorizationLink>;
}

/** `approval_required`: a person decides first, and nothing ran. After an approval, the same call runs and gives its result. */
export class ApprovalRequiredError extends ServiceError {
  override name = 'ApprovalRequiredError';
  /** The id of the approval. */
  declare readonly id: string;
  /** Page on which the person decides. */
  declare readonly link: string;
  /** Expiry of the approval. */
  declare readonly expiresAt: string;
}

/**
 * `upstream_failed`: the upstream answered with an error; `status` is the upstream's. The service responds with 422 or 424 when the
 * upstream rejected the call, and with 502 when the upstream failed.
 */
export class UpstreamError extends ServiceError {
  override name = 'UpstreamError';
  declare readonly status: number;
  /** The upstream's own error body: parsed JSON, or text. */
  declare readonly body: unknown;
  /** Advice about the error, when the connector has one. */
  declare readonly advice: string | undefined;
  /** `input_rejected`: change the input. `call_rejected`: another 4xx. Undefined when the upstream itself failed. */
  declare readonly reason: 'input_rejected' | 'call_rejected' | undefined;
  /** Attempts of the service, when it has retried. */
  declare readonly attempts: number | undefined;
}

/** `rate_limited`: too many calls. Nothing ran. */
export class RateLimitedError extends ServiceError {
  override name = 'RateLimitedError';
}

/** `connection_failed`: no response from the service (no `status`), or none from the upstream (502). */
export class ConnectionError extends ServiceError {
  override name = 'ConnectionError';
}

/** `timeout`: no response from the service in time (no `status`). `upstream_timeout`: none from the upstream (504). */
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

/** Creates the error of the class that belongs to its code. */
export function toServiceError(failure: Failure): ServiceError {
  const ErrorClass = CLASSES[failure.code as keyof Classes] ?? ServiceError;
  return new ErrorClass(failure);
}

/** Throws a `ServiceError` unless the condition is true. */
export function assert(condition: unknown, code: string, message: string): asserts condition {
  if (!condition) throw toServiceError({ code, message });
}
