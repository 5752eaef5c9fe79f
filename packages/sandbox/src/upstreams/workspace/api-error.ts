import { Refusal } from '../../refusal.js';

export class ApiError extends Refusal<Readonly<Record<string, unknown>>> {}

export const invalid = (message: string): ApiError => new ApiError(400, 'validation_error', message);

export const invalidUrl = (): ApiError => new ApiError(400, 'invalid_request_url', 'Invalid request URL.');

export function notFound(kind: string, id: string): ApiError {
  const message = `Could not find ${kind} with ID: ${id}. Make sure the relevant pages and databases are shared with your integration.`;
  return new ApiError(404, 'object_not_found', message);
}

export function errorBody({ status, code, message, details }: ApiError, requestId: string) {
  return {
    object: 'error',
    status,
    code,
    message,
    ...(details === undefined ? {} : { additional_data: details }),
    request_id: requestId,
  };
}

const DIALLED: Readonly<Record<number, readonly [code: string, message: string]>> = {
  400: ['validation_error', 'The request is not valid.'],
  401: ['unauthorized', 'API token is invalid.'],
  403: ['restricted_resource', 'Insufficient permissions for this endpoint.'],
  404: ['object_not_found', 'Could not find the object.'],
  409: ['conflict_error', 'Conflict occurred while saving. Please try again.'],
  429: ['rate_limited', 'You have been rate limited. Please try again in a few minutes.'],
  500: ['internal_server_error', 'Unexpected error occurred.'],
  502: ['bad_gateway', 'Bad gateway.'],
  503: ['service_unavailable', 'Notion is unavailable. Please try again later.'],
  504: ['gateway_timeout', 'Gateway timeout.'],
  529: ['service_overload', 'Notion is overloaded. Please try again later.'],
};

export function dialledError(status: number, requestId: string) {
  const [code, message] = DIALLED[status] ?? ['internal_server_error', 'Unexpected error occurred.'];
  return errorBody(new ApiError(status, code, message), requestId);
}
