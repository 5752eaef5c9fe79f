import { Refusal } from '../../refusal.js';

export class ApiError extends Refusal {}

export const invalid = (message: string): ApiError => new ApiError(400, 'Bad Request', message);
export const notFound = (what: string): ApiError => new ApiError(404, 'Not Found', `${what} not found`);
export const queueFull = (): ApiError =>
  new ApiError(429, 'Too Many Requests', 'Too many concurrent requests: the queue is full');

/** Builds an error body. Key errors contain a plain sentence, other errors an object. */
export function errorBody({ status, code, message }: Pick<ApiError, 'status' | 'code' | 'message'>) {
  if (status === 401 || status === 403) return { error: message };
  return { error: { error: code, message, status } };
}

const NAMES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
};

export function dialledError(status: number) {
  const code = NAMES[status];
  return errorBody({
    status,
    code: code ?? 'Internal Server Error',
    message: code ?? 'Something went wrong',
  });
}
