import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { newPort } from '../processes/new-port.js';

/** Webhook request that the receiver got. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly id: string;
  readonly type: string;
}

export type Respond = (response: ServerResponse, request: Received) => void;

/** HTTP server of an application that receives webhooks. */
export interface Receiver {
  readonly origin: string;
  /** Returns the requests received until now, or only those to `path`. */
  readonly received: (path?: string) => readonly Received[];
  /** Sets the function that responds to requests to a path. Default: status 204. */
  readonly answer: (path: string, respond: Respond) => void;
  readonly stop: () => Promise<void>;
}

export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}, text = ''): Respond =>
  (response) =>
    void response.writeHead(code, headers).end(text);

interface ReceiverOptions {
  /** Port to listen on. Default: a free port. */
  readonly port?: number;
  /** True if `received` returns the requests. Default: true. */
  readonly isRecording?: boolean;
}

/** Starts a receiver of webhooks. */
export async function startReceiver({
  port: given,
  isRecording = true,
}: ReceiverOptions = {}): Promise<Receiver> {
  const requests: Received[] = [];
  const answers = new Map<string, Respond>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const path = request.url ?? '';
    const id = String(request.headers['webhook-id']);
    const received = { path, headers: request.headers, body, id, type: JSON.parse(body).type };
    if (isRecording) requests.push(received);
    (answers.get(path) ?? status(204))(response, received);
  });
  const port = given ?? (await newPort());
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    origin: `http://127.0.0.1:${port}`,
    received: (path) => requests.filter((request) => path === undefined || request.path === path),
    answer: (path, respond) => void answers.set(path, respond),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
