import type { Answer, Sending } from './call.js';
import { toServiceError } from './errors.js';

interface ErrorAnswer {
  error?: { message?: string; details?: { status?: unknown; body?: unknown }; requestId?: string };
  /** In the form that OAuth has, where `error` is a text. */
  error_description?: string;
}

/** Reads an answer: JSON parsed, text as a string, anything else as a Blob. The service itself speaks JSON only. Throws what is an error. */
export async function readAnswer(
  response: Response,
  { isProxied, stream, idempotencyKey }: Sending,
): Promise<Answer> {
  const { status, headers } = response;
  const isGood = status < (isProxied ? 400 : 300);
  if (isGood && stream) return response;
  const type = headers.get('content-type') ?? '';
  const isJson = !isProxied || /[/+]json(;|$)/.test(type);
  const text: unknown = await response[isGood && !isJson && !/^text/.test(type) ? 'blob' : 'text']();
  let data = text as ErrorAnswer | undefined;
  try {
    if (isJson) data = JSON.parse(text as string);
  } catch {
    // An empty answer has no data, and one that is no JSON is no answer.
    data = undefined;
  }
  const id = headers.get('svc-request-id') ?? '';
  if (isGood && (!text || data !== undefined)) return { status, headers, data, requestId: id };
  const marked = headers.get('svc-error');
  const {
    // An answer to HEAD has no other words, and the address, which names the user and holds what was asked, does not belong here.
    message = data?.error_description ?? `HTTP ${status}`,
    details,
    requestId = id || undefined,
  } = marked ? (data?.error ?? {}) : { details: { body: data } as { body: unknown; status?: unknown } };
  const after = headers.get('retry-after') ?? '';
  throw toServiceError({
    // The service marks its errors, and what it hands on of an upstream: the rest is of something before the service.
    code: marked ?? (isProxied && id && !isGood ? 'upstream_failed' : 'unexpected_answer'),
    message,
    details,
    requestId,
    // A tool tells its upstream's status in the details.
    status: Number(details?.status) || status,
    // Seconds, or a date.
    retryAfter: Math.max(0, Number(after) || (Date.parse(after) - Date.now()) / 1000) || undefined,
    idempotencyKey,
  });
}
