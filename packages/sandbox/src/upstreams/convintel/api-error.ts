type FieldErrors = Readonly<Record<string, readonly string[]>>;

export class ApiError extends Error {
  readonly status: number;
  readonly errors: FieldErrors | undefined;

  constructor(status: number, message: string, errors?: FieldErrors) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.errors = errors;
  }
}

export const invalid = (field: string, message: string): ApiError =>
  new ApiError(422, message, { [field]: [message] });

export const required = (field: string): ApiError => invalid(field, `The ${field} field is required.`);

export const malformed = (message: string): ApiError => new ApiError(400, message);

// A wrong key, a revoked one and one of the other region are told apart by nothing.
export const unauthorized = (): ApiError => new ApiError(401, 'Unauthenticated.');

export const notFound = (what: string): ApiError => new ApiError(404, `${what} not found.`);

export const beingGenerated = (what: string): ApiError => new ApiError(404, `${what} is being generated.`);

export const tooManyRequests = (): ApiError => new ApiError(429, 'Too Many Attempts.');

/** The body of a refusal. The service has three forms of it. */
export function errorBody({ status, message, errors }: Pick<ApiError, 'status' | 'message' | 'errors'>) {
  if (status === 401 || status === 403) return { error: message };
  if (status >= 500) return { error: { message } };
  return errors === undefined ? { message } : { message, errors };
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
