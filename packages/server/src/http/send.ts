import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { ServiceError } from '../errors.js';
import { toConnectionError } from './connection-error.js';

export interface HttpRequest {
  readonly origin: string;
  /** Path and query as they go on the wire. */
  readonly path: string;
  readonly method: string;
  /** Names and values in turn. */
  readonly headers: string[];
  readonly body?: Buffer | Readable | undefined;
  /** From the call to the last byte of the answer. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Ends only when the answer is complete; fails with a ServiceError otherwise. Destroying it frees the socket. */
  readonly body: Readable;
}

/** Sends one request. Rejects with connection_failed or upstream_timeout. */
export type SendHttp = (request: HttpRequest) => Promise<HttpResponse>;

const BUFFERED = 64 * 1024;

const callerGone = (): ServiceError =>
  new ServiceError('connection_failed', 'The caller went away before the answer was complete.', {
    reason: 'aborted',
  });

function createBody(controller: Dispatcher.DispatchController): { body: Readable; end: () => void } {
  let ended = false;
  const body = new Readable({
    highWaterMark: BUFFERED,
    read: () => controller.resume(),
    destroy: (error, callback) => {
      if (!ended) controller.abort(error ?? callerGone());
      callback(error);
    },
  });
  // Whoever reads the body hears of a failure; a failure before that must not end the process.
  body.on('error', () => undefined);
  return {
    body,
    end: () => {
      ended = true;
      body.push(null);
    },
  };
}

/** Aborts by deadline and by the caller's signal, whether the request has started or not. */
function createDeadline(request: HttpRequest, abort: (reason: ServiceError) => void): () => void {
  const onAbort = () => abort(callerGone());
  const onTimeout = () =>
    abort(
      new ServiceError('upstream_timeout', `${request.origin} took too long to answer.`, {
        origin: request.origin,
      }),
    );
  const timer = setTimeout(onTimeout, request.timeoutMs);
  request.signal?.addEventListener('abort', onAbort, { once: true });
  return () => {
    clearTimeout(timer);
    request.signal?.removeEventListener('abort', onAbort);
  };
}

function exchange(agent: Dispatcher, request: HttpRequest): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let response: ReturnType<typeof createBody> | undefined;
    let aborted: ServiceError | undefined;
    const abort = (reason: ServiceError) => {
      aborted = reason;
      controller?.abort(reason);
      reject(reason);
    };
    const clear = createDeadline(request, abort);
    const { origin, path, method, headers } = request;
    agent.dispatch(
      { origin, path, method, headers, body: request.body ?? null },
      {
        onRequestStart: (started) => {
          controller = started;
          if (aborted) started.abort(aborted);
        },
        onResponseStart: (started, status, answered) => {
          if (status < 200) return;
          response = createBody(started);
          resolve({ status, headers: answered, body: response.body });
        },
        onResponseData: (started, chunk) => {
          if (response?.body.push(chunk) === false) started.pause();
        },
        onResponseEnd: () => {
          clear();
          response?.end();
        },
        onResponseError: (_, error) => {
          clear();
          const failure = toConnectionError(error, origin);
          response?.body.destroy(failure);
          reject(failure);
        },
      },
    );
  });
}

/** The way out for everything that streams: one request, no redirects, no decoding. */
export const createSend =
  (agent: Dispatcher): SendHttp =>
  (request) =>
    request.signal?.aborted ? Promise.reject(callerGone()) : exchange(agent, request);
