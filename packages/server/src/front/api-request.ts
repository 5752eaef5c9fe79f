import type { IncomingMessage, ServerResponse } from 'node:http';
import type { StoredResponse } from '../applications/idempotency.js';
import type { Cancellation } from '../http/send-http.js';
import { readTraceParent } from '../text/read-trace-parent.js';
import type { Bearer } from '../tokens/narrowed-tokens.js';

/** Response headers, keyed by their lower-case names. */
export type ResponseHeaders = Record<string, number | string | string[] | undefined>;

/** API request of an application whose response is not complete yet. */
export interface ApiRequest {
  readonly id: string;
  /** Trace id from the caller's `traceparent` header. `undefined` if the header is absent or invalid. */
  readonly traceId: string | undefined;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Id of the calling application. Empty until the service has accepted the access token. */
  applicationId: string;
  /**
   * Application id and limits that belong to the access token. `undefined` until the service has accepted the token.
   */
  bearer: Bearer | undefined;
  /**
   * Error code if the service itself responds with an error. `undefined` for all other responses, such as an error
   * response of the upstream that is passed on.
   */
  errorCode: string | undefined;
  /** Headers of the response, both for success and for errors. */
  readonly headers: ResponseHeaders;
  /** Aborts when the caller disconnects before the response is complete. */
  readonly signal: Cancellation;
  /**
   * Stores the response under the caller's Idempotency-Key before it is sent. The promise never rejects. `undefined` if
   * there is nothing to store.
   */
  beforeSend: ((stored: StoredResponse) => Promise<unknown>) | undefined;
  /**
   * Calls the listener when the response is complete or the caller disconnects, or immediately if that has already
   * happened.
   */
  onClose(listener: () => void): void;
}

export interface NewApiRequest extends Pick<ApiRequest, 'id' | 'request' | 'response'> {
  /** Headers that every response of the service contains. */
  readonly headers: Readonly<Record<string, string>>;
}

interface CallerSignal extends Cancellation {
  aborted: boolean;
  /** Sets `aborted` to true and calls each listener once. */
  abort(): void;
}

/** Creates an object with the members of AbortSignal that the service needs. It is cheaper than a real AbortSignal. */
function createCallerSignal(): CallerSignal {
  let listeners: readonly (() => void)[] = [];
  const signal: CallerSignal = {
    aborted: false,
    addEventListener: (_type, listener) => {
      listeners = [...listeners, listener];
    },
    removeEventListener: (_type, listener) => {
      listeners = listeners.filter((other) => other !== listener);
    },
    abort: () => {
      signal.aborted = true;
      const notified = listeners;
      listeners = [];
      for (const listener of notified) listener();
    },
  };
  return signal;
}

export function openApiRequest({ id, request, response, headers }: NewApiRequest): ApiRequest {
  const signal = createCallerSignal();
  const trace = readTraceParent(request.headers['traceparent']);
  const closing: (() => void)[] = [];
  response.once('close', () => {
    if (!response.writableFinished) signal.abort();
    for (const listener of closing) listener();
  });
  return {
    id,
    traceId: trace?.traceId,
    request,
    response,
    applicationId: '',
    bearer: undefined,
    errorCode: undefined,
    beforeSend: undefined,
    headers: { ...headers, 'svc-request-id': id, ...(trace && { traceparent: trace.traceparent }) },
    signal,
    onClose: (listener) => {
      if (response.closed) listener();
      else closing.push(listener);
    },
  };
}
