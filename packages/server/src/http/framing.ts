import { type Dispatcher, errors } from 'undici';
import { RETRY_ADVICE, ServiceError } from '../errors.js';
import type { WatchedSocket } from './watch-socket.js';

type Handler = Dispatcher.DispatchHandler;
type Headers = Parameters<NonNullable<Handler['onResponseStart']>>[2];

const invalid = (): ServiceError =>
  new ServiceError('connection_failed', `The upstream sent an invalid HTTP response. ${RETRY_ADVICE}`, {
    reason: 'invalid_response',
  });

const reset = (): Error => new errors.SocketError('reset');

/** Checks an interim (1xx) response. Throws for status 101, and for headers that announce a body. */
function checkInterim(status: number, headers: Headers): void {
  const isSound = status >= 102 && !headers['transfer-encoding'] && !headers['content-length'];
  if (!isSound) throw invalid();
}

/** Checks the header Transfer-Encoding. Throws for any coding except "chunked", because undici would not decode it. */
function checkCoding(coding: Headers[string], isHttp11: boolean): void {
  if (coding === undefined) return;
  const isChunked = typeof coding === 'string' && coding.toLowerCase() === 'chunked';
  if (!isChunked || !isHttp11) throw invalid();
}

/**
 * Refuses responses with ambiguous framing (rule P11 in security-rules.md). Allows the next request on a connection
 * only if the start and end of the last response are certain. Otherwise leftover bytes would become the response to the
 * next request.
 */
export function guardFraming(handler: Handler, socketOf: () => WatchedSocket | undefined): Handler {
  let socket: WatchedSocket | undefined;
  let isSent = false;
  let isSound = true;
  return {
    onRequestStart: (controller, context) => {
      socket = socketOf();
      socket?.begin();
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
        const { isHttp11 = false, isRequestSent = false } = socket?.endHead() ?? {};
        checkCoding(headers['transfer-encoding'], isHttp11);
        isSound &&= isSent && isHttp11 && isRequestSent;
      }
      handler.onResponseStart?.(controller, status, headers, message);
    },
    onResponseData: (controller, chunk) => handler.onResponseData?.(controller, chunk),
    onResponseEnd: (controller, trailers) => {
      // Reports a reset of the connection as an error, because undici would treat it as the normal end of a response
      // without a length.
      if (socket?.isReset()) return handler.onResponseError?.(controller, reset());
      handler.onResponseEnd?.(controller, trailers);
      if (isSound) socket?.rest();
      else if (isSent) socket?.destroy();
      // Destroys the connection with an error if the response ended before the request body was sent completely. The
      // error makes undici drop the rest of the request body.
      else socket?.destroy(new errors.InformationalError('reset'));
    },
    onResponseError: (controller, error) =>
      handler.onResponseError?.(controller, socket?.isReset() ? reset() : error),
  };
}
