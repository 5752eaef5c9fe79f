/** An error response of the service, or a failure to reach it. */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  readonly requestId: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(given: {
    readonly code: string;
    readonly status: number;
    readonly message: string;
    readonly requestId?: string | undefined;
    readonly details?: Readonly<Record<string, unknown>> | undefined;
  }) {
    super(given.message);
    this.code = given.code;
    this.status = given.status;
    this.requestId = given.requestId;
    this.details = given.details ?? {};
  }
}

interface ErrorBody {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly requestId?: string;
    readonly details?: Readonly<Record<string, unknown>>;
  };
}

const isErrorBody = (body: unknown): body is ErrorBody =>
  typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'object';

/** The error that an answer tells of. */
export async function readError(answer: Response): Promise<ApiError> {
  const body: unknown = await answer.json().catch(() => undefined);
  if (isErrorBody(body)) return new ApiError({ ...body.error, status: answer.status });
  return new ApiError({
    code: 'unknown',
    status: answer.status,
    message: `The service answered ${answer.status} without saying why. Look at its log.`,
  });
}

export const unreachable = (): ApiError =>
  new ApiError({
    code: 'unreachable',
    status: 0,
    message: 'The service cannot be reached. Is it running, and are you online?',
  });
