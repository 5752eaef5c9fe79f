import type { ResponsePromise } from 'ky';
import type { Answer, Call } from './call.js';
import { ServiceError } from './errors.js';
import type { CallOptions } from './tool.js';

/** Reads an answer: JSON parsed, text as a string, anything else as a Blob. The service itself speaks JSON only. */
export async function readAnswer(
  reply: ResponsePromise,
  { isProxied }: Call,
  { idempotencyKey }: CallOptions,
): Promise<Answer> {
  const response = await reply;
  const type = isProxied ? (response.headers.get('content-type') ?? '') : '/json';
  const kind = /[/+]json(;|$)/.test(type) ? 'json' : /^text/.test(type) ? 'text' : 'blob';
  const requestId = response.headers.get('svc-request-id') ?? '';
  try {
    return { response, data: await reply[kind](), requestId };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { status } = response;
    throw new ServiceError({
      code: 'unexpected_answer',
      message: `No JSON: ${error.message}`,
      status,
      requestId,
      idempotencyKey,
      cause: error,
    });
  }
}
