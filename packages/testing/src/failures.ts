import type { InputProblem } from '@svc/core';

/** Error codes of the service, with their HTTP statuses. */
export const FAILURE_STATUS = {
  invalid_input: 400,
  invalid_request: 400,
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

const REJECTED_STATUS = { input_rejected: 422, call_rejected: 424 } as const;

/** Returns the HTTP status of the service's response for an error code. */
export function failureStatus(code: FailureCode, details: unknown): number {
  const isRejected =
    code === 'upstream_failed' && typeof details === 'object' && details !== null && 'reason' in details;
  const reason = isRejected ? details.reason : undefined;
  if (reason === 'input_rejected' || reason === 'call_rejected') return REJECTED_STATUS[reason];
  return FAILURE_STATUS[code];
}

/** Error code of the service. */
export type FailureCode = keyof typeof FAILURE_STATUS;

interface Details {
  invalid_input: { readonly errors: readonly InputProblem[] };
  upstream_failed: {
    /** HTTP status of the upstream's error response. */
    readonly status: number;
    /** Body of the upstream's response. */
    readonly body?: unknown;
    readonly advice?: string;
    /** Reason of the failure. A rejection changes the HTTP status of the service's response from 502 to 422 or 424. */
    readonly reason?: 'input_rejected' | 'call_rejected' | 'outcome_unknown';
  };
  approval_required: { readonly id?: string; readonly link?: string; readonly expiresAt?: string };
  approval_denied: { readonly reason?: string };
}

interface CommonDetails {
  /** Message of the error. Default: a sentence which says that the test requested the failure. */
  readonly message?: string;
  /**
   * Seconds in the header `Retry-After` of the error response. Default: no header, so that the client retries without
   * this wait.
   */
  readonly retryAfter?: number;
}

/** Details that a test can set for a planned error, by its error code. */
export type FailureDetails<Code extends FailureCode> = CommonDetails &
  (Code extends keyof Details ? Details[Code] : unknown);
