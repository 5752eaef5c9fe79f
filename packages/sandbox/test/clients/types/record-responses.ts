import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isObject, parseJson } from '../../../src/json.js';

/** A successful JSON response of an upstream. */
export interface RecordedResponse {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** Headers that belong to a single connection or encoding, so the recorder must not forward them. */
const OWN = ['connection', 'content-encoding', 'content-length', 'host', 'keep-alive', 'transfer-encoding'];

const passing = (headers: [string, string][]): [string, string][] =>
  headers.filter(([name]) => !OWN.includes(name));

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Starts a recording proxy between a client and an upstream. */
export async function startRecorder(upstream: string) {
  const recorded: RecordedResponse[] = [];
  const { origin, pathname } = new URL(upstream);
  const server = createServer(async (request, reply) => {
    const { method = 'GET', url = '', headers } = request;
    const body = await bodyOf(request);
    const response = await fetch(origin + url, {
      method,
      headers: passing(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      redirect: 'manual',
      ...(body.length === 0 ? {} : { body }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const parsed = response.ok ? parseJson(bytes.toString('utf8')) : undefined;
    if (isObject(parsed))
      recorded.push({ method, path: url.slice(pathname.length).split('?')[0] ?? '', body: parsed });
    reply.writeHead(response.status, passing([...response.headers]).flat());
    reply.end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    responses: recorded,
    baseUrl: `http://127.0.0.1:${port}${pathname}`,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
