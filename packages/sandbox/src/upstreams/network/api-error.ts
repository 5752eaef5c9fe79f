export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
  }
}

const NAMES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
};

export const invalid = (message: string): ApiError => new ApiError(400, message);
export const notFound = (what: string): ApiError => new ApiError(404, `${what} not found`);
export const queueFull = (): ApiError => new ApiError(429, 'Too many concurrent requests: the queue is full');

/** The body of a refusal. The service has two forms of it: keys are refused in one sentence. */
export function errorBody({ status, message }: Pick<ApiError, 'status' | 'message'>) {
  if (status === 401 || status === 403) return { error: message };
  return { error: { error: NAMES[status] ?? 'Internal Server Error', message, status } };
}

export const dialledError = (status: number) =>
  errorBody({ status, message: NAMES[status] ?? 'Something went wrong' });
