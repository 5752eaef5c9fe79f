import type { Answer, Call, SendOptions } from './call.js';
import { type Failure, toServiceError } from './errors.js';

/** Reads an answer: JSON parsed, text as a string, anything else as a Blob. The service itself speaks JSON only. Throws what is an error. */
export async function readAnswer(
  response: Response,
  { isProxied }: Call,
  { stream, idempotencyKey }: SendOptions,
): Promise<Answer> {
  const { status, headers } = response;
  const isGood = status < (isProxied ? 400 : 300);
  if (isGood && stream) return response;
  const header = (name: string) => headers.get(name) ?? '';
  const type = header('content-type');
  const isJson = !isProxied || /[/+]json(;|$)/.test(type);
  const body: unknown = await response[isGood && !isJson && !/^text/.test(type) ? 'blob' : 'text']();
  let data: ErrorAnswer | undefined;
  try {
    data = isJson ? JSON.parse(body as string) : body;
  } catch {
    // An empty answer has no data, and one that is no JSON is no answer.
  }
  const requestId = header('svc-request-id');
  if (isGood && (!body || data !== undefined)) return { status, headers, data, requestId };
  // The service marks its errors, and what it hands on of an upstream: the rest is of something before the service.
  const code = header('svc-error');
  const error = code && data?.error?.message ? data.error : { details: { body: data } };
  const after = header('retry-after');
  throw toServiceError({
    // An answer to HEAD has no words of its own, and the address, which names the user and holds what was asked, does not belong here.
    message: `HTTP ${status}`,
    requestId: requestId || undefined,
    ...error,
    code: code || (isProxied && requestId && !isGood ? 'upstream_failed' : 'unexpected_answer'),
    // A tool tells its upstream's status in the details.
    status: Number(error.details?.status) || status,
    // Seconds, or a date.
    retryAfter: Math.max(0, Number(after) || (Date.parse(after) - Date.now()) / 1000) || undefined,
    idempotencyKey,
  });
}

interface ErrorAnswer {
  error: Partial<Omit<Failure, 'details'>> & { details?: { status?: unknown; body?: unknown } };
}
