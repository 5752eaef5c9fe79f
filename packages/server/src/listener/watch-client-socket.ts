import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A connection of a client, and its current exchange. */
export interface ClientSocket {
  readonly socket: Socket;
  /** The last request whose head has arrived. */
  request?: IncomingMessage | undefined;
  /** The response to that request, until all of it is sent. */
  response?: ServerResponse | undefined;
  /** True when the request body is an upload, which may take long while bytes keep arriving. */
  takesUpload?: boolean | undefined;
}

/** The reason for the end of a connection: the client does not read the response, does not send the request, or does not close in turn. */
export type Ending = 'unread' | 'late' | 'over';

/** Limits in looks, one a second. A process that stood still has not looked, so that no client loses that time (rule R2). */
const QUIET_LOOKS = 30;
const BODY_LOOKS = 30;
const UPLOAD_LOOKS = 600;
const CLOSING_LOOKS = 3;

/** Counts the looks in a row for which a condition holds. */
function createStreak() {
  let count = 0;
  return (holds: boolean): number => {
    count = holds ? count + 1 : 0;
    return count;
  };
}

/** Looks at a connection each time it is called, and reports when the connection has to end. */
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
    // A body that the upstream holds back is not the client's fault.
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
