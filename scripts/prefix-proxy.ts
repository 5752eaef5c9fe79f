import { createServer, request } from 'node:http';

/**
 * Starts a reverse proxy that serves the service below a path prefix. The proxy strips the prefix, and responds with
 * 404 outside the prefix.
 */
export async function startPrefixProxy(options: {
  readonly port: number;
  /** Path prefix below which the proxy serves the service, such as `/svc`. */
  readonly prefix: string;
  /** Port of the service on 127.0.0.1. */
  readonly servicePort: number;
}): Promise<{ readonly stop: () => void }> {
  const { port, prefix, servicePort } = options;
  const proxy = createServer((incoming, reply) => {
    const { url = '', method, headers } = incoming;
    if (!url.startsWith(`${prefix}/`)) return void reply.writeHead(404).end('Nothing here.');
    const path = url.slice(prefix.length);
    const outgoing = request({ host: '127.0.0.1', port: servicePort, path, method, headers }, (response) => {
      reply.writeHead(response.statusCode ?? 502, response.rawHeaders);
      response.pipe(reply);
    });
    outgoing.on('error', () => reply.destroy());
    return void incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => proxy.listen(port, resolve));
  return { stop: () => void proxy.close().closeAllConnections() };
}
