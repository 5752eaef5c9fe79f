/** All error codes of the service, with the HTTP status of each. */
export const ERROR_STATUS = {
  invalid_request: 400,
  invalid_input: 400,
  unknown_version: 400,
  unauthorized: 401,
  forbidden: 403,
  verification_failed: 403,
  not_permitted: 403,
  approval_required: 403,
  approval_denied: 403,
  origin_not_allowed: 403,
  not_found: 404,
  connector_not_found: 404,
  connection_not_found: 404,
  account_not_found: 404,
  tool_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  application_not_configured: 409,
  connection_not_configured: 409,
  account_not_authorized: 409,
  payload_too_large: 413,
  idempotency_mismatch: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  websockets_not_supported: 501,
  upstream_failed: 502,
  connection_failed: 502,
  unavailable: 503,
  upstream_timeout: 504,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** Statuses of `upstream_failed` by `details.reason`, where the upstream did not fail but rejected the call. */
export const REJECTED_STATUS = { input_rejected: 422, call_rejected: 424 } as const;

export type RejectedReason = keyof typeof REJECTED_STATUS;

const isRejectedReason = (reason: unknown): reason is RejectedReason =>
  typeof reason === 'string' && Object.hasOwn(REJECTED_STATUS, reason);

export type ErrorDetails = Readonly<Record<string, unknown>>;

/** The only error class of the service. Callers branch on `code`; `message` says what went wrong and what to do. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails | undefined;
  /** Account that the error concerns, for the execution of the call. The caller does not get it. */
  declare account?: { readonly id: string; readonly connectionName: string };
  /** Connector of the account that the error concerns. The caller does not get it. */
  declare connector?: string;

  constructor(code: ErrorCode, message: string, details?: ErrorDetails, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ServiceError';
    this.code = code;
    this.details = details;
  }

  /** Reason of the error in one word, such as `unknown_host`. Absent if the code says everything. */
  get reason(): string | undefined {
    const reason = this.details?.['reason'];
    return typeof reason === 'string' ? reason : undefined;
  }

  get status(): number {
    const reason = this.code === 'upstream_failed' ? this.reason : undefined;
    return isRejectedReason(reason) ? REJECTED_STATUS[reason] : ERROR_STATUS[this.code];
  }
}

const REPORT_ID = 'Report the request id to the operator of the service.';

/** Returns a ServiceError as it is, and wraps any other thrown value into `internal_error`. */
export const asServiceError = (thrown: unknown): ServiceError =>
  thrown instanceof ServiceError
    ? thrown
    : new ServiceError('internal_error', `The service failed unexpectedly. ${REPORT_ID}`, undefined, {
        cause: thrown,
      });

/**
 * Creates the error of a fault that only an operator can repair. The caller gets `message`. Only the log gets `detail`,
 * which may name tables, rows and files.
 */
export const internalError = (
  detail: string,
  {
    message = 'The service failed unexpectedly.',
    reason,
    cause,
  }: { readonly message?: string; readonly reason?: string; readonly cause?: unknown } = {},
): ServiceError =>
  new ServiceError(
    'internal_error',
    `${message} ${REPORT_ID}`,
    reason === undefined ? undefined : { reason },
    {
      cause: new ServiceError('internal_error', detail, undefined, { cause }),
    },
  );

/** Returns the sentence for the operator: the detail of an internal error, or the message of any other error. */
export function messageForOperator(error: Error): string {
  const { cause } = error;
  const isInternal = error instanceof ServiceError && error.code === 'internal_error';
  return isInternal && cause instanceof ServiceError ? cause.message : error.message;
}

/** Returns the reason of a failure in one word, or its code if it has no reason. */
export function failureReason(thrown: unknown): string {
  const { reason, code } = asServiceError(thrown);
  return reason ?? code;
}

/** Returns whether an error says that the call, or a part of it, may have run. Such a call must not be repeated. */
export const isFinal = ({ details }: Pick<ServiceError, 'details'>): boolean =>
  details?.['repeatable'] === false;

/**
 * Creates an error for one field of a request, in the format of schema errors. A form can show the message at that
 * field.
 */
export const wrongField = (field: string, message: string): ServiceError =>
  new ServiceError('invalid_request', message, { errors: [{ field, message }] });

/**
 * Creates an invalid_input error for one field of a tool's input, in the format of schema errors. `rule`: short name of
 * the broken rule.
 */
export const invalidInput = (
  field: string,
  rule: string,
  message: string,
  options?: ErrorOptions,
): ServiceError =>
  new ServiceError('invalid_input', message, { errors: [{ field, rule, message }] }, options);

/** Creates an invalid_input error whose message is the name of the field and its problem. */
export const invalidField = (
  field: string,
  rule: string,
  problem: string,
  options?: ErrorOptions,
): ServiceError => invalidInput(field, rule, `"${field}" ${problem}`, options);

/** Advice for a call that broke off, so that it may have changed data. */
export const RETRY_ADVICE = 'Retry later. If the call changes data, first check that it did not take effect.';

/** Creates the error of a call whose caller disconnected before the response was complete. */
export const callerDisconnected = (): ServiceError =>
  new ServiceError(
    'connection_failed',
    `The caller disconnected before the response was complete. ${RETRY_ADVICE}`,
    {
      reason: 'aborted',
    },
  );
