import { createServer } from 'node:http';
import { freePort } from '../../../../scripts/free-port.ts';

/** HTTP server of an application that receives webhooks. The path chooses the status, such as /503. */
export interface Receiver {
  readonly origin: string;
  /** Signatures of the last request to the path /signed. */
  readonly signatures: () => readonly string[];
  readonly stop: () => Promise<void>;
}

const TEXTS: Readonly<Record<number, string>> = {
  410: 'This receiver moved.',
  503: JSON.stringify({ error: 'The database of the receiver is not available', retry: true, node: 'web-2' }),
};

export async function receiveWebhooks(): Promise<Receiver> {
  let signatures: readonly string[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/signed') signatures = String(request.headers['webhook-signature']).split(' ');
    const status = Number(request.url?.slice(1)) || 204;
    request.resume().on('end', () => response.writeHead(status).end(TEXTS[status]));
  });
  const port = await freePort();
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    origin: `http://127.0.0.1:${port}`,
    signatures: () => signatures,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
