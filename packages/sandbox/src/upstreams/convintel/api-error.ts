import { Refusal } from '../../refusal.js';

type FieldErrors = Readonly<Record<string, readonly string[]>>;

export class ApiError extends Refusal<FieldErrors> {
  constructor(status: number, message: string, errors?: FieldErrors) {
    super(status, '', message, errors);
  }
}

export const invalid = (field: string, message: string): ApiError =>
  new ApiError(422, message, { [field]: [message] });

export const required = (field: string): ApiError => invalid(field, `The ${field} field is required.`);

export const malformed = (message: string): ApiError => new ApiError(400, message);

// Wrong keys, revoked keys and keys of the other region get an equal error.
export const unauthorized = (): ApiError => new ApiError(401, 'Unauthenticated.');

export const notFound = (what: string): ApiError => new ApiError(404, `${what} not found.`);

export const beingGenerated = (what: string): ApiError => new ApiError(404, `${what} is being generated.`);

export const tooManyRequests = (): ApiError => new ApiError(429, 'Too Many Attempts.');

/** Builds an error body. The service has three formats, which depend on the status. */
export function errorBody({ status, message, details }: ApiError) {
  if (status === 401 || status === 403) return { error: message };
  if (status >= 500) return { error: { message } };
  return details === undefined ? { message } : { message, errors: details };
}

const DIALLED: Readonly<Record<number, string>> = {
  400: 'The request is not valid.',
  401: 'Unauthenticated.',
  403: 'This action is unauthorized.',
  404: 'Activity not found.',
  422: 'The given data was invalid.',
  429: 'Too Many Attempts.',
};

export const dialledError = (status: number) =>
  errorBody(new ApiError(status, DIALLED[status] ?? 'Server Error'));
