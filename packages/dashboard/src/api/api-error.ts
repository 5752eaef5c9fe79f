interface ErrorFacts {
  readonly code: string;
  readonly message: string;
  readonly requestId?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

interface ErrorBody {
  readonly error: ErrorFacts;
}

/** An error response of the service, or a failure to reach it. */
export class ApiError extends Error {
  readonly code: string;
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  readonly requestId: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, { code, message, requestId, details = {} }: ErrorFacts) {
    super(message);
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.details = details;
  }
}

const isErrorBody = (body: unknown): body is ErrorBody =>
  typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'object';

/** Reads the error of a response. */
export async function readError(answer: Response): Promise<ApiError> {
  const body: unknown = await answer.json().catch(() => undefined);
  if (isErrorBody(body)) return new ApiError(answer.status, body.error);
  return new ApiError(answer.status, {
    code: 'unknown',
    message: `The service answered ${answer.status} without saying why. Look at its log.`,
  });
}

export const unreachable = (): ApiError =>
  new ApiError(0, {
    code: 'unreachable',
    message: 'The service cannot be reached. Is it running, and are you online?',
  });
