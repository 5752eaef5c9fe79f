import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface DocumentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Response of a path: a JSON body, a status code, or a redirect. */
export type Document = object | number | { readonly location: string; readonly status?: number };

const RESOURCE = '/.well-known/oauth-protected-resource';
const SERVER = '/.well-known/oauth-authorization-server';

/** Serves the metadata of an MCP server and its authorization server on one origin. Tests may change it at any time. */
export async function startDocuments() {
  const requests: DocumentRequest[] = [];
  const pages = new Map<string, Document>();
  const server = createServer(async (request, response) => {
    const { method = '', headers } = request;
    // Removes the test number from the path. Each test uses its own path, because discovery is cached by URL.
    const url = (request.url ?? '').replace(/\/\d+(?=\/mcp$)/, '');
    let body = '';
    for await (const chunk of request) body += chunk;
    requests.push({ method, url, headers, body });
    const page = pages.get(url) ?? 404;
    if (typeof page === 'number') return void response.writeHead(page).end();
    if ('location' in page) {
      const status = 'status' in page ? Number(page.status) : 302;
      return void response.writeHead(status, { location: String(page.location) }).end();
    }
    response.writeHead(url === '/register' ? 201 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(page));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  /** Publishes valid metadata of the MCP server and its authorization server, in which these fields replace others. */
  function describe({ resource = {}, server = {} }: { resource?: object; server?: object } = {}): void {
    pages.clear();
    pages.set('/mcp', 401);
    pages.set(`${RESOURCE}/mcp`, {
      resource: origin,
      authorization_servers: [origin],
      ...resource,
    });
    pages.set(SERVER, {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
      token_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      ...server,
    });
    pages.set('/register', { client_id: 'registered', token_endpoint_auth_method: 'none' });
    requests.splice(0);
  }

  return {
    origin,
    requests,
    describe,
    set: (path: string, page: Document) => pages.set(path, page),
    paths: { resource: `${RESOURCE}/mcp`, server: SERVER },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export type Documents = Awaited<ReturnType<typeof startDocuments>>;
