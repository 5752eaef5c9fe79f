import type { Socket } from 'node:net';
import { ERROR_STATUS, type ErrorCode } from '../errors.js';
import type { RecordFailedRequest } from './failed-request.js';
import type { ClientSocket } from './watch-client-socket.js';

export const MAX_HEADER_BYTES = 16 * 1024;

interface SocketRefusal {
  readonly code: ErrorCode;
  /** Reason phrase in the status line of the response. */
  readonly phrase: string;
  readonly message: string;
}

/** Error code that Node.js sets when a request does not arrive completely in time. */
export const TOO_SLOW = 'ERR_HTTP_REQUEST_TIMEOUT';

/** Responses to invalid requests, by the error code of Node.js. */
const SOCKET_REFUSALS: Readonly<Record<string, SocketRefusal>> = {
  HPE_HEADER_OVERFLOW: {
    code: 'headers_too_large',
    phrase: 'Request Header Fields Too Large',
    message: `The headers are larger than ${MAX_HEADER_BYTES} bytes. Send fewer or shorter headers.`,
  },
  [TOO_SLOW]: {
    code: 'request_timeout',
    phrase: 'Request Timeout',
    message: 'The request did not arrive in time. Send it again.',
  },
};
const NOT_HTTP: SocketRefusal = {
  code: 'invalid_request',
  phrase: 'Bad Request',
  message: 'This is not a valid HTTP request. Check the HTTP client and the URL.',
};

export interface RefuseSocketOptions {
  /** Headers of every response of the service. */
  readonly headers: Readonly<Record<string, string>>;
  readonly sockets: ReadonlyMap<Socket, Pick<ClientSocket, 'response'>>;
  readonly newRequestId: () => string;
  /** Stores each refused request. Absent: none are stored. */
  readonly recordFailure?: RecordFailedRequest | undefined;
}

export type RefuseSocket = ReturnType<typeof createRefuseSocket>;

export function createRefuseSocket(options: RefuseSocketOptions) {
  const { headers, sockets, newRequestId, recordFailure } = options;
  /**
   * Responds to bytes that are not a valid HTTP request, and closes the connection. Writes to the socket, because
   * Node.js creates no response object for them.
   */
  return function refuseSocket(error: { readonly code?: string }, socket: Socket): void {
    // Closes the connection when a response has already begun. A second response would corrupt the first.
    if (sockets.get(socket)?.response?.headersSent) socket.destroy();
    if (!socket.writable) return;
    const { code, phrase, message } = SOCKET_REFUSALS[error.code ?? ''] ?? NOT_HTTP;
    const requestId = newRequestId();
    const body = JSON.stringify({ error: { code, message, requestId } });
    recordFailure?.({ requestId, applicationId: '', actor: 'user', operation: phrase, errorCode: code });
    const all = {
      ...headers,
      'svc-error': code,
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    };
    const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${ERROR_STATUS[code]} ${phrase}\r\n${head.join('')}\r\n${body}`);
  };
}
