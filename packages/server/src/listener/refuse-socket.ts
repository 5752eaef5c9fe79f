import type { Socket } from 'node:net';
import { ERROR_STATUS, type ErrorCode } from '../errors.js';
import type { Connection } from './watch-connection.js';

export const MAX_HEADER_BYTES = 16 * 1024;

interface SocketRefusal {
  readonly code: ErrorCode;
  /** What stands after the status. */
  readonly phrase: string;
  readonly message: string;
}

/** The code of Node.js for a request that does not arrive in time. */
export const TOO_SLOW = 'ERR_HTTP_REQUEST_TIMEOUT';

/** By the codes of Node.js. */
const SOCKET_REFUSALS: Readonly<Record<string, SocketRefusal>> = {
  HPE_HEADER_OVERFLOW: {
    code: 'headers_too_large',
    phrase: 'Request Header Fields Too Large',
    message: `The headers may have ${MAX_HEADER_BYTES} bytes at most.`,
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
  message: 'This is not a valid HTTP request.',
};

export type RefuseSocket = (error: { readonly code?: string }, socket: Socket) => void;

export interface RefuseSocketParts {
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: ReadonlyMap<Socket, Pick<Connection, 'answer'>>;
  readonly newRequestId: () => string;
}

/** Answers what is not even a request, so that no reply exists, and ends the connection. */
export const createRefuseSocket =
  ({ headers, connections, newRequestId }: RefuseSocketParts): RefuseSocket =>
  (error, socket) => {
    // Into an answer that has begun nothing else is written.
    if (connections.get(socket)?.answer?.headersSent) socket.destroy();
    if (!socket.writable) return;
    const { code, phrase, message } = SOCKET_REFUSALS[error.code ?? ''] ?? NOT_HTTP;
    const body = JSON.stringify({ error: { code, message, requestId: newRequestId() } });
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
