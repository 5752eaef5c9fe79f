import {
  ERROR_STATUS,
  type ErrorCode,
  type ErrorDetails,
  REJECTED_STATUS,
  type RejectedReason,
} from '../errors.js';
import type { Components } from './open-api-schemas.js';

/**
 * Error that the OpenAPI document lists for an operation. A reason of `upstream_failed` is listed separately if its
 * HTTP status differs from the status of `upstream_failed`.
 */
export type DocumentedError = ErrorCode | RejectedReason;

export const ERROR_HEADERS = {
  'svc-error': { $ref: '#/components/headers/svc-error' },
  'svc-request-id': { $ref: '#/components/headers/svc-request-id' },
  'svc-version': { $ref: '#/components/headers/svc-version' },
  traceparent: { $ref: '#/components/headers/traceparent' },
};

interface ErrorText {
  /**
   * Text that says what happened and what to do. The OpenAPI document shows it as description and example of the error.
   */
  readonly message: string;
  readonly details?: ErrorDetails;
}

const PATH = '/v1/connections/crm/accounts/ada/authorization-link';

const ERROR_TEXTS: Readonly<Record<DocumentedError, ErrorText>> = {
  invalid_request: {
    message: 'The request does not match the operation. `details.errors` names the wrong fields.',
    details: { errors: [{ field: 'pageSize', rule: 'maximum', message: '"pageSize" must be at most 200' }] },
  },
  invalid_input: {
    message: "The input breaks the tool's input schema. details.errors lists the problems.",
    details: { errors: [{ field: 'start', rule: 'required', message: '"start" is required' }] },
  },
  unknown_version: {
    message: 'The tool does not have the requested version. `details.available` lists its versions.',
    details: { available: [{ schemaVersion: '1', toolVersion: '1.0.0' }] },
  },
  unauthorized: {
    message:
      'The access token, session or password is missing, invalid or expired. Get a new access token, or sign in again.',
  },
  forbidden: {
    message:
      'The role, token or sign-in ticket of the caller does not allow this operation, or the header svc-csrf is missing or wrong. Use another token or ticket, send the current `csrfToken`, or ask an owner to change the role.',
  },
  verification_failed: {
    message:
      'The `identifier` is not the user of the authorization link, so no account was connected. Redirect the user to `details.pageUrl`.',
    details: { pageUrl: 'http://localhost:4400/connect/ended/other-identifier' },
  },
  not_permitted: {
    message:
      'The token does not allow this call. Use a token that allows the call. If a limit of the token is the reason, `details.limit` names the limit.',
    details: { limit: 'tools' },
  },
  approval_required: {
    message: 'A person must approve this call. Repeat the call after the approval.',
    details: {
      id: 'appr_0193f2a8c4d17b3e9a5c6d7e8f901234',
      link: 'http://localhost:4400/approve/K3v9',
      expiresAt: '2026-11-20T09:30:00.000Z',
    },
  },
  approval_denied: {
    message:
      'A person denied this call, or nobody approved it in time, so nothing ran. To request approval again, repeat the call after `details.holdsUntil`.',
    details: { reason: 'Not this week.', holdsUntil: '2026-11-20T10:00:00.000Z' },
  },
  origin_not_allowed: {
    message:
      'The origin of the web page is not registered for the application. Ask an operator to register it, exactly as the browser sends it in the header "origin".',
  },
  not_found: { message: 'No object of the application has the id or name in the URL. Check the id or name.' },
  connector_not_found: { message: 'The connector does not exist. GET /v1/connectors lists the connectors.' },
  connection_not_found: {
    message: 'There is no connection with this name. GET /v1/connections lists the connections.',
  },
  account_not_found: { message: 'The account does not exist. GET /v1/accounts lists the accounts.' },
  tool_not_found: { message: 'The tool does not exist. GET /v1/tools lists the tools.' },
  method_not_allowed: {
    message: 'The path does not support this HTTP method. `details.allow` lists its methods.',
    details: { allow: ['GET', 'HEAD'] },
  },
  request_timeout: { message: 'The request did not arrive in time. Send the request again.' },
  conflict: {
    message:
      'The object exists already, is in use, or changed during this request. Read the object, then retry.',
  },
  application_not_configured: {
    message:
      'The application is marked as production and has no verify URL. Set the verify URL of the application.',
  },
  connection_not_configured: {
    message:
      'A setting of the connection is missing or wrong, such as its OAuth client or scopes. Correct the setting that the message names.',
  },
  account_not_authorized: {
    message:
      'The user must give consent. Create an authorization link with POST to the path in `details.authorizationLinkPath`.',
    details: { authorizationLinkPath: PATH },
  },
  payload_too_large: { message: 'The body of the request is too large. Send less data.' },
  idempotency_mismatch: {
    message: 'The Idempotency-Key was used with another request. Use a new `Idempotency-Key`.',
  },
  rate_limited: {
    message: 'Too many requests. Retry after the time in the header retry-after.',
    details: { retryAfter: 1 },
  },
  headers_too_large: {
    message:
      'The request has more than 64 headers, or more than 16 KiB of headers. Send fewer or shorter headers.',
  },
  internal_error: { message: 'The service failed. Report the request id to the operator of the service.' },
  websockets_not_supported: {
    message: 'The proxy does not support WebSockets. Use the HTTP API of the upstream.',
  },
  upstream_failed: {
    message:
      'The upstream failed, or the service cannot use its response. `details` contains the status and body of the response.',
    details: { status: 500, body: { error: 'backend error' } },
  },
  input_rejected: {
    message: "The upstream rejected the call's input with a 4xx status. Correct the input.",
    details: { reason: 'input_rejected', status: 400, body: { error: 'invalid time zone' } },
  },
  call_rejected: {
    message:
      'The upstream rejected the call with a 4xx status, but not because of the input of the call. Read `details.body`, the response of the upstream.',
    details: { reason: 'call_rejected', status: 403, body: { error: 'quota exceeded' } },
  },
  connection_failed: { message: 'The upstream is unreachable, or the connection broke. Retry later.' },
  unavailable: {
    message: 'The service is busy, starting or stopping. Retry after the time in the header retry-after.',
  },
  upstream_timeout: { message: 'The upstream took too long. Retry later.' },
};

const REQUEST_ID = 'req_0193f2a8c4d17b3e9a5c6d7e8f901234';

const STATUSES: Readonly<Record<DocumentedError, number>> = { ...ERROR_STATUS, ...REJECTED_STATUS };

export const statusOf = (name: DocumentedError): number => STATUSES[name];

/** Returns the OpenAPI examples of error responses, each under the error's name. */
export const errorExamples = (errors: readonly DocumentedError[]) =>
  Object.fromEntries(
    errors.map((name) => {
      const { message, details } = ERROR_TEXTS[name];
      const code = Object.hasOwn(REJECTED_STATUS, name) ? 'upstream_failed' : name;
      const error = { code, message, ...(details && { details }), requestId: REQUEST_ID };
      return [name, { summary: message, value: { error } }];
    }),
  );

const responseOf = (errors: readonly DocumentedError[]) => ({
  description: errors.map((name) => `\`${name}\`: ${ERROR_TEXTS[name].message}`).join('\n\n'),
  headers: ERROR_HEADERS,
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      examples: errorExamples(errors),
    },
  },
});

/** Builds the error responses of an operation by their status. Operations with the same errors share a response. */
export function errorResponses(errors: readonly DocumentedError[], { referToResponse }: Components) {
  const byStatus = Map.groupBy([...new Set(errors)].sort(), statusOf);
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => [
      status,
      referToResponse(`${status}-${names.join('-')}`, responseOf(names)),
    ]),
  );
}
