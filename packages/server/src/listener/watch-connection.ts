import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A connection and what is under way on it. */
export interface Connection {
  readonly socket: Socket;
  /** The last one whose head has come. */
  request?: IncomingMessage | undefined;
  /** That of the last request, until all of it is sent. */
  answer?: ServerResponse | undefined;
  /** Whether the body of the request is an upload, which may take long while it goes on. */
  takesUpload?: boolean | undefined;
}

/** Why a connection ends: its caller does not take the answer, does not send the request, or does not close in turn. */
export type Ending = 'unread' | 'late' | 'over';

/** So many looks, one a second. A process that stood still has not looked, so that nobody loses the time (rule R2). */
const QUIET_LOOKS = 30;
const BODY_LOOKS = 30;
const UPLOAD_LOOKS = 600;
const CLOSING_LOOKS = 3;

/** Counts for how many looks in a row something holds. */
function createCount() {
  let count = 0;
  return (holds: boolean): number => {
    count = holds ? count + 1 : 0;
    return count;
  };
}

/** Looks at a connection, and tells when it has to end. */
export function watchConnection(connection: Readonly<Connection>): () => Ending | undefined {
  const { socket } = connection;
  const [unread, arriving, silent, closing] = [createCount(), createCount(), createCount(), createCount()];
  let before = { sent: 0, received: 0, request: connection.request };

  const isUnread = (sent: number): boolean =>
    unread(socket.writableLength > 0 && sent === before.sent) >= QUIET_LOOKS;

  const isLate = ({ request, answer, takesUpload }: Readonly<Connection>): boolean => {
    const isSame = request === before.request;
    const isArriving = request?.complete === false && isSame;
    // Who is held back by the upstream has nothing to answer for.
    const isRead = request?.readableFlowing === true;
    const arrivingFor = arriving(isArriving);
    const silentFor = silent(isArriving && isRead && socket.bytesRead === before.received);
    if (!takesUpload || answer === undefined) return arrivingFor >= BODY_LOOKS;
    return silentFor >= QUIET_LOOKS || arrivingFor >= UPLOAD_LOOKS;
  };

  return () => {
    const sent = socket.bytesWritten - socket.writableLength;
    const isOver = closing(socket.writableEnded) >= CLOSING_LOOKS;
    const ending = isUnread(sent) ? 'unread' : isLate(connection) ? 'late' : undefined;
    before = { sent, received: socket.bytesRead, request: connection.request };
    return isOver ? 'over' : ending;
  };
}
