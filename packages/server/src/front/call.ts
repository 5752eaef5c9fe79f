import type { IncomingMessage, ServerResponse } from 'node:http';
import type { StoredResponse } from '../applications/idempotency.js';
import type { Bearer } from '../tokens/narrowed-tokens.js';
import type { Cancellation } from '../upstream/forward.js';
import { createCallerSignal } from './caller-signal.js';

export type AnswerHeaders = Record<string, number | string | string[] | undefined>;

/** A request of an application, from its head to the end of its answer. */
export interface Call {
  readonly id: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Empty until the caller has shown who it is. */
  applicationId: string;
  /** Who calls, from the same moment on. */
  bearer: Bearer | undefined;
  /** Of the answer, when it is an error of the service. */
  errorCode: string | undefined;
  /** Of the answer, whatever it will be. */
  readonly headers: AnswerHeaders;
  /** Aborted when the caller goes away before its answer is complete. */
  readonly signal: Cancellation;
  /** Gets the response before it is sent. Absent where nothing has to be stored. Never rejects. */
  beforeSend: ((answer: StoredResponse) => Promise<unknown>) | undefined;
  /** Calls back when the answer is complete, or the caller gone; at once when that is so already. */
  onClose(listener: () => void): void;
}

export interface NewCall extends Pick<Call, 'id' | 'request' | 'response'> {
  /** Of every answer of the service. */
  readonly headers: Readonly<Record<string, string>>;
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
