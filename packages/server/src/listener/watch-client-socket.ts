import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Connection of a client, with its current request and response. */
export interface ClientSocket {
  readonly socket: Socket;
  /** Most recent request whose headers have arrived. */
  request?: IncomingMessage | undefined;
  /** Response to `request`. `undefined` after the response was sent completely. */
  response?: ServerResponse | undefined;
  /** True when the request body is an upload, which may take long while bytes keep arriving. */
  takesUpload?: boolean | undefined;
}

/**
 * Reason for closing a connection. `unread`: the client does not read the response. `late`: it does not send the
 * request in time. `over`: it does not close its side.
 */
export type Ending = 'unread' | 'late' | 'over';

/**
 * Limits as numbers of checks, of which one runs each second. `QUIET_LOOKS`: checks without progress before a
 * connection is closed. Checks are counted instead of seconds, so that a suspended process closes no connection (rule
 * R2 in security-rules.md).
 */
const QUIET_LOOKS = 30;
const BODY_LOOKS = 30;
const UPLOAD_LOOKS = 600;
const CLOSING_LOOKS = 3;

/** Creates a counter of consecutive calls with `true`. A call with `false` resets it to 0. */
function createStreak() {
  let count = 0;
  return (holds: boolean): number => {
    count = holds ? count + 1 : 0;
    return count;
  };
}

/** Creates a check of one connection. Each call returns the reason for closing the connection, or `undefined`. */
export function watchClientSocket(client: Readonly<ClientSocket>): () => Ending | undefined {
  const { socket } = client;
  const [unread, arriving, silent, closing] = [
    createStreak(),
    createStreak(),
    createStreak(),
    createStreak(),
  ];
  let before = { sent: 0, received: 0, request: client.request };

  const isUnread = (sent: number): boolean =>
    unread(socket.writableLength > 0 && sent === before.sent) >= QUIET_LOOKS;

  const isLate = ({ request, response, takesUpload }: Readonly<ClientSocket>): boolean => {
    const isSame = request === before.request;
    const isArriving = request?.complete === false && isSame;
    // Body bytes that the service does not read, because the upstream is slow, do not count as late.
    const isRead = request?.readableFlowing === true;
    const arrivingFor = arriving(isArriving);
    const silentFor = silent(isArriving && isRead && socket.bytesRead === before.received);
    if (!takesUpload || response === undefined) return arrivingFor >= BODY_LOOKS;
    return silentFor >= QUIET_LOOKS || arrivingFor >= UPLOAD_LOOKS;
  };

  return function look() {
    const sent = socket.bytesWritten - socket.writableLength;
    const isOver = closing(socket.writableEnded) >= CLOSING_LOOKS;
    const ending = isUnread(sent) ? 'unread' : isLate(client) ? 'late' : undefined;
    before = { sent, received: socket.bytesRead, request: client.request };
    return isOver ? 'over' : ending;
  };
}
