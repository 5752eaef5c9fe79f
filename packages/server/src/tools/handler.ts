import type { Send } from '../upstream/request.js';

export type { Send, UpstreamRequest } from '../upstream/request.js';

/** What a handler may not make itself, so that its examples give the same requests every time. */
export interface HandlerContext {
  readonly now: () => Date;
  readonly randomId: () => string;
}

/** A tool whose input no binding can express. It gets no credentials, no storage and no network but `send`. */
export type Handler<Input> = (input: Input, send: Send, context: HandlerContext) => Promise<unknown>;
