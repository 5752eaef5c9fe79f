import type { ApiError } from './api-error.js';

const WORDS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ALREADY_EXISTS',
  412: 'FAILED_PRECONDITION',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

/** The form of the younger services: a status word, and no list of errors. */
export function statusErrorBody({ code, message, details }: ApiError) {
  return {
    error: {
      code,
      message,
      status: details.status ?? WORDS[code] ?? 'UNKNOWN',
      ...(details.details === undefined ? {} : { details: details.details }),
    },
  };
}
