import { Refusal } from '../refusal.js';

interface Location {
  readonly location: string;
  readonly locationType: 'parameter' | 'header' | 'other';
}

interface Details {
  domain?: string;
  at?: Location;
  status?: string;
  /** Value of `errors[0].message`, if it differs from `message`. */
  shortMessage?: string;
  details?: readonly unknown[];
  headers?: Readonly<Record<string, string>>;
}

export class ApiError extends Refusal<Details> {}

/** Builds the error body of older Google APIs, such as Calendar: a list of errors with reasons. */
export function errorBody({ status: code, code: reason, message, details }: ApiError) {
  const { domain = 'global', at, status, shortMessage = message, details: more } = details ?? {};
  return {
    error: {
      code,
      message,
      errors: [{ message: shortMessage, domain, reason, ...at }],
      ...(status === undefined ? {} : { status }),
      ...(more === undefined ? {} : { details: more }),
    },
  };
}

export const parameter = (location: string): Location => ({ location, locationType: 'parameter' });

export const badRequest = (message = 'Bad Request'): ApiError => new ApiError(400, 'badRequest', message);
export const notFound = (): ApiError => new ApiError(404, 'notFound', 'Not Found');
export const deleted = (): ApiError => new ApiError(410, 'deleted', 'Resource has been deleted');

export const conditionNotMet = (): ApiError =>
  new ApiError(412, 'conditionNotMet', 'Precondition Failed', {
    at: { location: 'If-Match', locationType: 'header' },
  });

export function unauthorized(hasToken: boolean): ApiError {
  const message =
    'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.';
  const problem = hasToken ? ', error="invalid_token"' : '';
  return new ApiError(401, 'authError', message, {
    at: { location: 'Authorization', locationType: 'header' },
    status: 'UNAUTHENTICATED',
    shortMessage: 'Invalid Credentials',
    headers: { 'www-authenticate': `Bearer realm="https://accounts.google.com/"${problem}` },
  });
}

interface Guarded {
  readonly service: string;
  readonly method: string;
  /** OAuth scopes that allow the method. A token needs only one of them. */
  readonly scopes: readonly string[];
}

export function scopeInsufficient({ service, method, scopes }: Guarded): ApiError {
  const info = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
    domain: 'googleapis.com',
    metadata: { service, method },
  };
  const challenge = `Bearer realm="https://accounts.google.com/", error="insufficient_scope", scope="${scopes.join(' ')}"`;
  return new ApiError(403, 'insufficientPermissions', 'Request had insufficient authentication scopes.', {
    status: 'PERMISSION_DENIED',
    shortMessage: 'Insufficient Permission',
    details: [info],
    headers: { 'www-authenticate': challenge },
  });
}

export const userRateLimitExceeded = (): ApiError =>
  new ApiError(403, 'userRateLimitExceeded', 'User Rate Limit Exceeded', { domain: 'usageLimits' });

const DIALLED: Readonly<Record<number, () => ApiError>> = {
  401: () => unauthorized(true),
  403: userRateLimitExceeded,
  404: notFound,
  410: deleted,
  412: conditionNotMet,
  429: () => new ApiError(429, 'rateLimitExceeded', 'Rate Limit Exceeded', { domain: 'usageLimits' }),
  500: () => new ApiError(500, 'backendError', 'Backend Error'),
  503: () => new ApiError(503, 'backendError', 'Backend Error'),
};

export function dialledError(status: number): ApiError {
  return DIALLED[status]?.() ?? new ApiError(status, status < 500 ? 'badRequest' : 'backendError', 'Error');
}

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

/** Builds the error body of newer Google APIs: a status word, such as `NOT_FOUND`, and no list of errors. */
export function statusErrorBody({ status: code, message, details }: ApiError) {
  return {
    error: {
      code,
      message,
      status: details?.status ?? WORDS[code] ?? 'UNKNOWN',
      ...(details?.details === undefined ? {} : { details: details.details }),
    },
  };
}
