import { type Dispatcher, errors } from 'undici';
import { ServiceError } from '../errors.js';
import type { Wire } from './wire.js';

type Handler = Dispatcher.DispatchHandler;
type Headers = Parameters<NonNullable<Handler['onResponseStart']>>[2];

const invalid = (): ServiceError =>
  new ServiceError('connection_failed', 'The upstream sent an answer that is not valid HTTP.', {
    reason: 'invalid_response',
  });

/** An answer before the answer has no body, and nothing but one may follow it. */
function checkInterim(status: number, headers: Headers): void {
  const isSound = status >= 102 && !headers['transfer-encoding'] && !headers['content-length'];
  if (!isSound) throw invalid();
}

/** The one coding that is undone here is "chunked"; another one would reach the caller as if it were the body itself. */
function checkCoding(coding: Headers[string], isCurrent: boolean): void {
  if (coding === undefined) return;
  const isChunked = typeof coding === 'string' && coding.toLowerCase() === 'chunked';
  if (!isChunked || !isCurrent) throw invalid();
}

/**
 * Refuses answers that cannot be framed, and lets their connection be used again only after one whose beginning and
 * end are beyond doubt (rule P11): what is left on a connection would be taken for the answer to the next request.
 */
export function guardFraming(handler: Handler, wireOf: () => Wire | undefined): Handler {
  let wire: Wire | undefined;
  let isSent = false;
  let isSound = true;
  return {
    onRequestStart: (controller, context) => {
      wire = wireOf();
      wire?.begin();
      handler.onRequestStart?.(controller, context);
    },
    onBodySent: (chunk) => handler.onBodySent?.(chunk),
    onRequestSent: () => {
      isSent = true;
      handler.onRequestSent?.();
    },
    onResponseStarted: () => handler.onResponseStarted?.(),
    onResponseStart: (controller, status, headers, message) => {
      if (status < 200) {
        isSound = false;
        checkInterim(status, headers);
      } else {
        const { isCurrent = false, isAllGone = false } = wire?.endHead() ?? {};
        checkCoding(headers['transfer-encoding'], isCurrent);
        isSound &&= isSent && isCurrent && isAllGone;
      }
      handler.onResponseStart?.(controller, status, headers, message);
    },
    onResponseData: (controller, chunk) => handler.onResponseData?.(controller, chunk),
    onResponseEnd: (controller, trailers) => {
      handler.onResponseEnd?.(controller, trailers);
      if (isSound) wire?.rest();
      else if (isSent) wire?.destroy();
      // The word of the client itself, which then gives up the rest of the body.
      else wire?.destroy(new errors.InformationalError('reset'));
    },
    onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
  };
}
