import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { callerDisconnected, RETRY_ADVICE, ServiceError } from '../errors.js';
import type { Outgoing, OutgoingRoute } from './agent.js';
import { toConnectionError } from './connection-error.js';
import { type BodyInlet, createResponseBody, type ResponseBody } from './response-body.js';

/** Members of AbortSignal that a request needs. An AbortSignal can be passed too. */
export interface Cancellation {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once: true }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Timeouts of one request, in milliseconds. */
export interface Timeouts {
  /** Maximum time from the start of the request to the last byte of the response. */
  readonly totalMs: number;
  /** Maximum time without a byte from the upstream. Default: 30000. */
  readonly idleMs?: number | undefined;
  /** Maximum wait for the response headers. Default: `idleMs`. */
  readonly headersMs?: number | undefined;
  /**
   * Maximum duration of an event stream, and maximum time between two of its chunks. Default: the same timeouts as for
   * other responses.
   */
  readonly streamMs?: number | undefined;
}

export interface HttpRequest extends OutgoingRoute, Timeouts {
  /** Path and query of the URL. They are sent unchanged. */
  readonly path: string;
  readonly method: string;
  /** Request headers as alternating names and values. */
  readonly headers: string[];
  readonly body?: Buffer | Readable | undefined;
  readonly signal?: Cancellation | undefined;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: ResponseBody;
}

export type SendHttp = ReturnType<typeof createSend>;

const tooLong = () =>
  new ServiceError('upstream_timeout', `The upstream took too long to respond. ${RETRY_ADVICE}`);
const tooQuiet = () =>
  new ServiceError('upstream_timeout', `The upstream stopped in the middle of its response. ${RETRY_ADVICE}`);

const isEventStream = ({ 'content-type': type }: HttpResponse['headers']): boolean =>
  String(type ?? '')
    .toLowerCase()
    .startsWith('text/event-stream');

/**
 * Aborts a request when the caller's signal aborts, at the deadline, and when no byte of the body arrives for too long.
 * One timer checks both times and restarts if it fires early, because most responses end before it fires.
 */
function watchExchange(request: HttpRequest, defaultIdleMs: number, abort: (reason: ServiceError) => void) {
  let deadline = performance.now() + request.totalMs;
  let idleMs = request.idleMs ?? defaultIdleMs;
  let controller: Dispatcher.DispatchController | undefined;
  let heardAt = 0;
  const onAbort = () => abort(callerDisconnected());

  function check(): void {
    const now = performance.now();
    // Counts a paused body as active, because the caller reads slowly and the upstream is not silent.
    if (controller === undefined || controller.paused) heardAt = now;
    if (now >= deadline) abort(tooLong());
    else if (now >= heardAt + idleMs) abort(tooQuiet());
    else timer = setTimeout(check, Math.ceil(Math.min(deadline, heardAt + idleMs) - now));
  }
  let timer = setTimeout(check, Math.min(request.totalMs, idleMs));
  request.signal?.addEventListener('abort', onAbort, { once: true });
  return {
    begin: (started: Dispatcher.DispatchController, headers: HttpResponse['headers']) => {
      controller = started;
      heardAt = performance.now();
      const { streamMs } = request;
      if (streamMs === undefined || !isEventStream(headers)) return;
      deadline = heardAt + streamMs;
      idleMs = streamMs;
    },
    hear: () => {
      heardAt = performance.now();
    },
    end: () => {
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', onAbort);
    },
  };
}

interface Exchange {
  readonly resolve: (response: HttpResponse) => void;
  readonly reject: (error: ServiceError) => void;
}

function createHandler(
  request: HttpRequest,
  defaultIdleMs: number,
  { resolve, reject }: Exchange,
): Dispatcher.DispatchHandler {
  let controller: Dispatcher.DispatchController | undefined;
  let inlet: BodyInlet | undefined;
  let aborted: ServiceError | undefined;
  const watch = watchExchange(request, defaultIdleMs, (reason) => {
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
      watch.begin(started, headers);
      inlet = createResponseBody(started);
      resolve({ status, headers, body: inlet.body });
    },
    onResponseData: (_, chunk) => {
      watch.hear();
      inlet?.push(chunk);
    },
    onResponseEnd: () => {
      watch.end();
      inlet?.end();
    },
    onResponseError: (_, error) => {
      watch.end();
      const failure = toConnectionError(error);
      inlet?.fail(failure);
      reject(failure);
    },
  };
}

export function createSend(agent: Pick<Outgoing, 'dispatcherFor' | 'idleTimeoutMs'>) {
  /**
   * Sends one request. Resolves to the response as soon as its headers have arrived. Follows no redirects. Rejects with
   * `connection_failed` or `upstream_timeout`.
   */
  function send(request: HttpRequest): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      if (request.signal?.aborted) return reject(callerDisconnected());
      const { origin, path, method, headers, body = null, idleMs = null, headersMs = idleMs } = request;
      agent.dispatcherFor(request).dispatch(
        // Disables undici's timeout for the body. The code above checks it, because only the response shows whether the
        // body is an event stream.
        { origin, path, method, headers, body, headersTimeout: headersMs, bodyTimeout: 0 },
        createHandler(request, agent.idleTimeoutMs, { resolve, reject }),
      );
    });
  }

  return send;
}
