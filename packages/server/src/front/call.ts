import type { IncomingMessage, ServerResponse } from 'node:http';
import type { StoredResponse } from '../applications/idempotency.js';
import type { Bearer } from '../tokens/narrowed-tokens.js';
import type { Cancellation } from '../upstream/forward.js';

/** Headers of a response by their names in lower case. */
export type ResponseHeaders = Record<string, number | string | string[] | undefined>;

/** A request of an application, from its head to the end of its response. */
export interface Call {
  readonly id: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Empty until the access token was accepted. */
  applicationId: string;
  /** Bearer of the access token; `undefined` until it was accepted. */
  bearer: Bearer | undefined;
  /** Error code of the response, when it is an error of the service. */
  errorCode: string | undefined;
  /** Headers of the response, whatever it becomes. */
  readonly headers: ResponseHeaders;
  /** Aborted when the caller disconnects before the response is complete. */
  readonly signal: Cancellation;
  /** Gets the response before it is sent. Absent where nothing has to be stored. Never rejects. */
  beforeSend: ((answer: StoredResponse) => Promise<unknown>) | undefined;
  /** Calls back when the response is complete or the caller has disconnected; at once if it has happened. */
  onClose(listener: () => void): void;
}

export interface NewCall extends Pick<Call, 'id' | 'request' | 'response'> {
  /** Headers of every response of the service. */
  readonly headers: Readonly<Record<string, string>>;
}

interface CallerSignal extends Cancellation {
  aborted: boolean;
  /** Notifies each listener once. */
  abort(): void;
}

/** Creates the part of an AbortSignal that a call needs, without the cost of an event for each call. */
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

export function openCall({ id, request, response, headers }: NewCall): Call {
  const signal = createCallerSignal();
  const closing: (() => void)[] = [];
  response.once('close', () => {
    if (!response.writableFinished) signal.abort();
    for (const listener of closing) listener();
  });
  return {
    id,
    request,
    response,
    applicationId: '',
    bearer: undefined,
    errorCode: undefined,
    beforeSend: undefined,
    headers: { ...headers, 'svc-request-id': id },
    signal,
    onClose: (listener) => {
      if (response.closed) listener();
      else closing.push(listener);
    },
  };
}
