import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';

export const CLIENT = { clientId: 'client-of-issues', clientSecret: 'secret-of-issues' };
const ACCESS_TOKEN = 'token-of-ada';

/** HTTP request that the emulated upstream received. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface IssueService {
  readonly url: string;
  readonly received: readonly Received[];
  readonly stop: () => void;
}

interface IssueReply {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

async function readBody(request: IncomingMessage): Promise<string> {
  request.setEncoding('latin1');
  let body = '';
  for await (const chunk of request) body += chunk;
  return body;
}

/**
 * Starts an upstream for the connector `issues`: an authorization server, and five issues paged by the Link header.
 * Every path outside `/repos/` returns 200.
 */
export async function startIssueService(): Promise<IssueService> {
  const received: Received[] = [];
  const issues = [1, 2, 3, 4, 5].map((number) => ({ number, title: `Issue ${number}`, state: 'open' }));

  function listIssues(url: URL): IssueReply {
    const page = Number(url.searchParams.get('page'));
    const size = Number(url.searchParams.get('per_page'));
    const last = Math.ceil(issues.length / size);
    const link = (number: number, rel: string) =>
      `<${url.origin}${url.pathname}?page=${number}>; rel="${rel}"`;
    const links = page < last ? [link(page + 1, 'next'), link(last, 'last')] : [link(1, 'first')];
    const body = issues.slice((page - 1) * size, page * size);
    return { status: 200, headers: { link: links.join(', ') }, body };
  }

  function respond({ method, path, headers, body }: Received, origin: string): IssueReply {
    const url = new URL(path, origin);
    if (url.pathname === '/login/oauth/authorize') {
      const back = new URL(url.searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('code', 'code-of-ada');
      back.searchParams.set('state', url.searchParams.get('state') ?? '');
      return { status: 302, headers: { location: back.href } };
    }
    if (url.pathname === '/login/oauth/access_token') {
      const isKnown = new URLSearchParams(body).get('client_secret') === CLIENT.clientSecret;
      const token = { access_token: ACCESS_TOKEN, token_type: 'bearer', scope: 'repo' };
      return isKnown ? { status: 200, body: token } : { status: 401, body: { error: 'invalid_client' } };
    }
    if (!url.pathname.startsWith('/repos/')) return { status: 200, body: { id: 'r1' } };
    if (headers.authorization !== `Bearer ${ACCESS_TOKEN}`)
      return { status: 401, body: { message: 'Bad credentials' } };
    if (method === 'GET') return listIssues(url);
    const sent: object = JSON.parse(body);
    if (url.pathname.endsWith('/comments')) return { status: 201, body: { id: 1, ...sent } };
    const issue = { title: '', ...sent, number: issues.length + 1, state: 'open' };
    issues.push(issue);
    return { status: 201, body: issue };
  }

  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const { method = '', url: path = '', headers } = request;
      received.push({ method, path, headers, body });
      const reply = respond({ method, path, headers, body }, `http://${headers.host}`);
      response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
      response.end(reply.body === undefined ? '' : JSON.stringify(reply.body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { url: `http://127.0.0.1:${port}`, received, stop: () => server.close() };
}
