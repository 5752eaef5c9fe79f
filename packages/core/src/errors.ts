import type { AuthorizationLink } from './resources.js';
import type { CallOptions } from './tool.js';

type Details = Readonly<Record<string, unknown>>;

/** What an error knows beside its code and message. */
export interface ErrorFields extends ErrorOptions {
  status?: number;
  details?: Details | undefined;
  requestId?: string | undefined;
  retryAfter?: number | undefined;
}

/** Every failure of a call. Branch on the subclass or on `code`; the README lists all codes. */
export class ServiceError extends Error {
  /** Names the failure, such as `connection_not_found`. */
  readonly code: string;
  /** The HTTP status of the answer; 0 when none came. */
  readonly status: number;
  /** What the service told beside the message. */
  readonly details: Details;
  /** The service's id of the request, for a look into its log. */
  readonly requestId: string | undefined;
  /** Seconds after which to try again, when the answer named them. */
  readonly retryAfter: number | undefined;

  constructor(code: string, message: string, fields: ErrorFields = {}) {
    super(message, fields);
    this.name = 'ServiceError';
    this.code = code;
    this.status = fields.status ?? 0;
    this.details = fields.details ?? {};
    this.requestId = fields.requestId;
    this.retryAfter = fields.retryAfter;
  }
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
  declare readonly details: { readonly errors: readonly InputProblem[] };

  /** Every broken rule. */
  get errors(): readonly InputProblem[] {
    return this.details.errors;
  }
}

/** `account_not_authorized`: the user has not approved yet, or has to approve again. */
export class AccountNotAuthorizedError extends ServiceError {
  declare readonly details: {
    readonly connectionName: string;
    readonly identifier: string;
    /** The state of the account, such as `reauthorization_required`. */
    readonly status: string;
  };

  /** The connection that the user has to approve. */
  get connectionName(): string {
    return this.details.connectionName;
  }

  /** The user of the application. */
  get identifier(): string {
    return this.details.identifier;
  }

  /** Makes the link to show to the user. */
  declare getLink: (options?: CallOptions) => Promise<AuthorizationLink>;
}

/** `upstream_failed`: the upstream answered with an error. `details.status` is its status. */
export class UpstreamError extends ServiceError {
  declare readonly details: {
    readonly status: number;
    readonly body?: unknown;
    readonly advice?: string;
    /** The upstream's own id of the request. */
    readonly requestId?: string;
  };

  /** The upstream's own error body: parsed when it is JSON, else text. */
  get body(): unknown {
    return this.details.body;
  }

  /** What to do about it, when the catalogue knows. */
  get advice(): string | undefined {
    return this.details.advice;
  }
}

/** `rate_limited`: too many calls; nothing ran. */
export class RateLimitedError extends ServiceError {}

/** `connection_failed`: the service was not reached (`status` 0), or the service did not reach the upstream. */
export class ConnectionError extends ServiceError {}

/** `timeout`: no answer in time (`status` 0); `upstream_timeout`: the upstream did not answer the service in time. */
export class TimeoutError extends ServiceError {}
