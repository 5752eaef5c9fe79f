import { Refusal } from '../../refusal.js';

interface Details {
  /** Most specific error code, which the response puts into the innermost `innerError` object. */
  readonly inner?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export class ApiError extends Refusal<Details> {}

export function errorBody(
  { code, message, details }: ApiError,
  exchange: { requestId: string; now: number; clientRequestId?: string },
) {
  const { requestId, now, clientRequestId = requestId } = exchange;
  return {
    error: {
      code,
      message,
      innerError: {
        ...(details?.inner === undefined ? {} : { code: details.inner }),
        date: new Date(now).toISOString().slice(0, 19),
        'request-id': requestId,
        'client-request-id': clientRequestId,
      },
    },
  };
}

export const invalidRequest = (message: string, inner?: string): ApiError =>
  new ApiError(400, 'invalidRequest', message, inner === undefined ? {} : { inner });

export const segmentNotFound = (segment: string): ApiError =>
  new ApiError(400, 'BadRequest', `Resource not found for the segment '${segment}'.`);

export const invalidVersion = (version: string): ApiError =>
  new ApiError(400, 'BadRequest', `Invalid version: ${version}`);

export const unauthorized = (hasToken: boolean): ApiError =>
  new ApiError(
    401,
    'InvalidAuthenticationToken',
    hasToken ? 'Access token has expired or is not yet valid.' : 'Access token is empty.',
    { headers: { 'www-authenticate': 'Bearer realm=""' } },
  );

export const accessDenied = (): ApiError =>
  new ApiError(
    403,
    'accessDenied',
    'Access denied. You do not have permission to perform this action or access this resource.',
  );

export const itemNotFound = (): ApiError =>
  new ApiError(404, 'itemNotFound', 'The resource could not be found.');

export const methodNotAllowed = (): ApiError =>
  new ApiError(405, 'invalidRequest', 'The HTTP method is not allowed on this resource.');

export const nameAlreadyExists = (message: string): ApiError =>
  new ApiError(409, 'nameAlreadyExists', message);

export const resourceModified = (): ApiError =>
  new ApiError(412, 'resourceModified', 'ETag does not match current item’s value.');

export const tooLarge = (): ApiError =>
  new ApiError(413, 'invalidRequest', 'The request body is too large. Use an upload session.');

export const invalidRange = (message: string): ApiError => new ApiError(416, 'invalidRange', message);

export const quotaLimitReached = (): ApiError =>
  new ApiError(507, 'quotaLimitReached', 'Insufficient space available.');

const DIALLED: Readonly<Record<number, ApiError>> = {
  400: invalidRequest('Invalid request.'),
  401: unauthorized(true),
  403: accessDenied(),
  404: itemNotFound(),
  409: nameAlreadyExists('Name already exists.'),
  412: resourceModified(),
  413: tooLarge(),
  416: invalidRange('The uploaded fragment has already been received.'),
  423: new ApiError(423, 'notAllowed', 'The resource is locked.'),
  429: new ApiError(429, 'activityLimitReached', 'The request has been throttled.', {
    inner: 'throttledRequest',
  }),
  503: new ApiError(503, 'serviceNotAvailable', 'The service is not available. Try again later.'),
  507: quotaLimitReached(),
};

export function dialledError(status: number, requestId: string) {
  const fallback = new ApiError(status, 'generalException', 'General exception while processing.');
  return errorBody(DIALLED[status] ?? fallback, { requestId, now: Date.now() });
}
