import { toOperatorText } from '../words/service-texts.ts';

interface ErrorFacts {
  readonly code: string;
  readonly message: string;
  readonly requestId?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * Error response of the service, with its message in the words of the dashboard. Also thrown if the service cannot be
 * reached.
 */
export class ApiError extends Error {
  readonly code: string;
  /** HTTP status of the error response. 0 if the service sent no response. */
  readonly status: number;
  readonly requestId: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, { code, message, requestId, details = {} }: ErrorFacts) {
    super(toOperatorText(message));
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.details = details;
  }
}

const isErrorBody = (body: unknown): body is { readonly error: ErrorFacts } =>
  typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'object';

export async function readError(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined);
  if (isErrorBody(body)) return new ApiError(response.status, body.error);
  return new ApiError(response.status, {
    code: 'unknown',
    message: `The service responded with status ${response.status} and no error message. Check the log of the service.`,
  });
}

export const unreachable = (): ApiError =>
  new ApiError(0, {
    code: 'unreachable',
    message: 'The service is unreachable. Check that the service is running and that you are online.',
  });
