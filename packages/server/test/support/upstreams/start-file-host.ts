import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FileRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** HTTP server of files, to which callers of tools link. */
export interface FileHost {
  readonly origin: string;
  /** All received requests, in order. */
  readonly requests: FileRequest[];
  /** Sets the response to a path, and returns the link. Paths without a response get 404. */
  readonly put: (path: string, respond: (response: ServerResponse) => void) => string;
  readonly stop: () => void;
}

/** Returns a response that is a complete file with these headers. */
export const file =
  (content: string | Buffer, headers: Readonly<Record<string, string>> = { 'content-type': 'video/mp4' }) =>
  (response: ServerResponse): void =>
    void response.writeHead(200, { 'content-length': content.length, ...headers }).end(content);

/** Returns a response with this status and these headers. */
export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}) =>
  (response: ServerResponse): void =>
    void response.writeHead(code, headers).end('<h1>no file</h1>');

/** Starts a server of files on loopback. */
export async function startFileHost(): Promise<FileHost> {
  const responses = new Map<string, (response: ServerResponse) => void>();
  const requests: FileRequest[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    requests.push({ path, headers: request.headers });
    (responses.get(path) ?? status(404))(response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    requests,
    put(path, respond) {
      responses.set(path, respond);
      return origin + path;
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
