import type { AuthorizationLink } from './resources.js';
import type { CallOptions } from './tool.js';

/** What is known of a failure. */
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

/** Every failure of a call. Branch on the subclass or on `code`; the README lists all codes. */
export class ServiceError extends Error {
  override name = 'ServiceError';
  /** Names the failure, such as `connection_not_found`. */
  declare readonly code: string;
  /** The HTTP status of the answer; undefined when none came. */
  declare readonly status: number | undefined;
  /** What the service told beside the message; the subclasses have it as fields. */
  declare readonly details: object | undefined;
  /** The service's id of the request, for a look into its log. */
  declare readonly requestId: string | undefined;
  /** Seconds after which to try again, when the answer named them. */
  declare readonly retryAfter: number | undefined;
  /** The key that the call had: with it the same call can be made again, and gives the answer that was missed. */
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
 * Whether it is an error of this package, or of another copy of it that the program has too; with a code, whether it is that
 * failure, whose fields are typed then.
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
  /** Where, such as `blocks[3].type`. */
  field: string;
  /** The rule, such as `required` or `maxLength`. */
  rule: string;
  /** What would be right. */
  message: string;
  /** The kind of the value that was given. */
  received?: string;
}

/** `invalid_input`: the input breaks the tool's rules, and nothing was sent upstream. */
export class InvalidInputError extends ServiceError {
  override name = 'InvalidInputError';
  /** Every broken rule. */
  declare readonly errors: readonly InputProblem[];
}

/** `account_not_authorized`: the user has not approved yet, or has to approve again. */
export class AccountNotAuthorizedError extends ServiceError {
  override name = 'AccountNotAuthorizedError';
  declare readonly connectionName: string;
  /** The user, as the application names them. */
  declare readonly identifier: string;
  declare readonly authorizationLinkPath: string;
  /** Makes the link to show to the user. */
  declare getLink: (options?: CallOptions) => Promise<AuthorizationLink>;
}

/** `approval_required`: a person is asked first, and nothing ran. The same call again, after a yes, runs and gives its result. */
export class ApprovalRequiredError extends ServiceError {
  override name = 'ApprovalRequiredError';
  /** Of the approval. */
  declare readonly id: string;
  /** Where the person decides. */
  declare readonly link: string;
  /** When it is too late. */
  declare readonly expiresAt: string;
}

/** `upstream_failed`: the upstream answered with an error; `status` is the upstream's. */
export class UpstreamError extends ServiceError {
  override name = 'UpstreamError';
  declare readonly status: number;
  /** The upstream's own error body: parsed when it is JSON, else text. */
  declare readonly body: unknown;
  /** What to do about it, when the connector knows. */
  declare readonly advice: string | undefined;
}

/** `rate_limited`: too many calls; nothing ran. */
export class RateLimitedError extends ServiceError {
  override name = 'RateLimitedError';
}

/** `connection_failed`: no answer of the service (no `status`), or the service got none of the upstream (502). */
export class ConnectionError extends ServiceError {
  override name = 'ConnectionError';
}

/** `timeout`: no answer in time (no `status`); `upstream_timeout`: the service got none of the upstream (504). */
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

/** Makes the error of the class that its code has. */
export const toServiceError = (failure: Failure): ServiceError =>
  new (CLASSES[failure.code as keyof Classes] ?? ServiceError)(failure);

/** Throws a failure unless everything is as it has to be. */
export function assert(isRight: unknown, code: string, message: string): asserts isRight {
  if (!isRight) throw toServiceError({ code, message });
}
