import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { ServiceError } from '../errors.js';
import type { Outgoing, OutgoingRoute } from './agent.js';
import { callerGone } from './caller-gone.js';
import { toConnectionError } from './connection-error.js';
import { type BodyInlet, createResponseBody, type ResponseBody } from './response-body.js';

/** An AbortSignal, or the part of it that requests need. */
export interface Cancellation {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once: true }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export interface HttpRequest extends OutgoingRoute {
  /** Path and query as sent. */
  readonly path: string;
  readonly method: string;
  /** Names and values, alternating. */
  readonly headers: string[];
  readonly body?: Buffer | Readable | undefined;
  /** Milliseconds from the call to the last byte of the response. */
  readonly timeoutMs: number;
  /** Milliseconds that the upstream may be silent. Default: 30000. */
  readonly quietMs?: number | undefined;
  readonly signal?: Cancellation | undefined;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: ResponseBody;
}

export type SendHttp = ReturnType<typeof createSend>;

/** Aborts at the deadline or by the caller's signal, even before the request has started. Returns what cancels both. */
function createDeadline(request: HttpRequest, abort: (reason: ServiceError) => void): () => void {
  const onAbort = () => abort(callerGone());
  const onTimeout = () =>
    abort(new ServiceError('upstream_timeout', 'The upstream took too long to respond.'));
  const timer = setTimeout(onTimeout, request.timeoutMs);
  request.signal?.addEventListener('abort', onAbort, { once: true });
  return () => {
    clearTimeout(timer);
    request.signal?.removeEventListener('abort', onAbort);
  };
}

interface Exchange {
  readonly resolve: (response: HttpResponse) => void;
  readonly reject: (error: ServiceError) => void;
}

function createHandler(request: HttpRequest, { resolve, reject }: Exchange): Dispatcher.DispatchHandler {
  let controller: Dispatcher.DispatchController | undefined;
  let inlet: BodyInlet | undefined;
  let aborted: ServiceError | undefined;
  const clear = createDeadline(request, (reason) => {
    aborted = reason;
    controller?.abort(reason);
    reject(reason);
  });
  return {
    onRequestStart: (started) => {
      controller = started;
      if (aborted) started.abort(aborted);
    },
    onResponseStart: (started, status, headers) => {
      if (status < 200) return;
      inlet = createResponseBody(started);
      resolve({ status, headers, body: inlet.body });
    },
    onResponseData: (_, chunk) => inlet?.push(chunk),
    onResponseEnd: () => {
      clear();
      inlet?.end();
    },
    onResponseError: (_, error) => {
      clear();
      const failure = toConnectionError(error);
      inlet?.fail(failure);
      reject(failure);
    },
  };
}

export function createSend(agent: Pick<Outgoing, 'dispatcherFor'>) {
  /** Sends one request, and streams the response. Follows no redirect. Rejects with connection_failed or upstream_timeout. */
  function send(request: HttpRequest): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      if (request.signal?.aborted) return reject(callerGone());
      const { origin, path, method, headers, body = null, quietMs = null } = request;
      agent
        .dispatcherFor(request)
        .dispatch(
          { origin, path, method, headers, body, headersTimeout: quietMs, bodyTimeout: quietMs },
          createHandler(request, { resolve, reject }),
        );
    });
  }

  return send;
}
