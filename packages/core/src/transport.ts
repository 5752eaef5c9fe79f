import ky from 'ky';
import { readBody, toError } from './answer.js';
import { ConnectionError } from './errors.js';

/** One request to the service. */
export interface Call {
  method: string;
  url: string;
  json?: unknown;
  body?: RequestInit['body'] | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  /** The answer is the upstream's own, unless it is marked as an error of the service. */
  isProxied?: boolean;
  /** The answer is handed over unread. */
  isStreamed?: boolean | undefined;
  /** Running it twice does no harm. */
  isSafe?: boolean;
}

/** What came back; `data` is read unless the call is streamed. */
export interface Answer {
  response: Response;
  data: unknown;
}

/** How an attempt is made. */
export interface Attempt {
  headers: Headers;
  signal: AbortSignal;
  fetch: ((request: Request) => Promise<Response>) | undefined;
}

/** Sends a call once; anything but a good answer is thrown as an error of ours. */
export async function exchange(call: Call, attempt: Attempt): Promise<Answer> {
  const { response, data } = await send(call, attempt).catch((error: Error) => {
    attempt.signal.throwIfAborted();
    // ky's own error holds the request, and with it the token: only what lies beneath is handed on.
    const cause = error.cause ?? error;
    throw new ConnectionError('connection_failed', `${call.url} was not reached: ${error.message}`, {
      cause,
    });
  });
  const isUpstream = call.isProxied === true && !response.headers.has('svc-error');
  const isGood = isUpstream ? response.status < 400 : response.ok && typeof data !== 'string';
  if (!isGood) throw toError(response, data, isUpstream);
  return { response, data };
}

async function send(call: Call, { headers, signal, fetch }: Attempt): Promise<Answer> {
  const response = await ky(call.url, {
    method: call.method,
    headers,
    signal,
    redirect: 'manual',
    throwHttpErrors: false,
    timeout: false,
    // ky copies the body of what it may repeat and would hold a whole upload in memory: retries are made around it.
    retry: 0,
    ...(call.json !== undefined && { json: call.json }),
    ...(call.body && { body: call.body }),
    ...(fetch && { fetch: (request) => fetch(request as Request) }),
  });
  return { response, data: call.isStreamed && response.ok ? undefined : await readBody(response) };
}
