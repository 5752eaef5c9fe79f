import type { ResponsePromise } from 'ky';
import type { Answer } from './call.js';

/** Reads an answer: JSON parsed, text as a string, anything else as a Blob. The service itself speaks JSON only. */
export async function readAnswer(reply: ResponsePromise, isProxied?: boolean): Promise<Answer> {
  const response = await reply;
  const type = isProxied ? (response.headers.get('content-type') ?? '') : '/json';
  const kind = /[/+]json(;|$)/.test(type) ? 'json' : /^text/.test(type) ? 'text' : 'blob';
  return { response, data: await reply[kind](), requestId: response.headers.get('svc-request-id') ?? '' };
}
