import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Secrets } from '../secrets/secrets.js';

interface Arrived {
  readonly path: string;
  readonly authorization: string;
  readonly text: string;
}

const SENT_SECRETS = /\b(?:client_secret|refresh_token|access_token|token|code)"?\s*[=:]\s*"?([^&",}]+)/g;

const decodeBasic = (value: string): string =>
  value.startsWith('Basic ') ? Buffer.from(value.slice(6), 'base64').toString() : value;

const json = (body: object) => ({ status: 200, body: JSON.stringify(body) });

/**
 * Starts a host that collects secrets: it acts as an upstream, an MCP server and an authorization server, and records
 * every request. The host's own secrets begin with `mine-`. Below `/theirs`, the MCP server names an authorization
 * server of somebody else.
 */
export async function startListeningHost(theirIssuer: string) {
  const arrived: Arrived[] = [];
  let origin = '';
  function respond(path: string) {
    const resource = /^\/\.well-known\/oauth-protected-resource(.*)$/.exec(path);
    if (resource) {
      const issuer = path.includes('/theirs') ? theirIssuer : origin;
      return json({ resource: origin + resource[1], authorization_servers: [issuer] });
    }
    if (path.startsWith('/.well-known/oauth-authorization-server')) {
      return json({
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        code_challenge_methods_supported: ['S256'],
      });
    }
    if (path === '/register') return { ...json({ client_id: 'mine-client' }), status: 201 };
    if (path === '/token') return json({ access_token: 'mine-token', token_type: 'Bearer', expires_in: 60 });
    return path.endsWith('/mcp') ? { status: 401, body: '' } : json({});
  }
  const server = createServer(async (request, reply) => {
    const { url: path = '', method = '', headers, rawHeaders } = request;
    let body = '';
    for await (const chunk of request) body += chunk;
    const authorization = decodeBasic(headers.authorization ?? '');
    arrived.push({
      path,
      authorization,
      text: [method, path, ...rawHeaders, authorization, body].join('\n'),
    });
    const { status, body: payload } = respond(path);
    reply.writeHead(status, { 'content-type': 'application/json' }).end(payload);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const isForeign = (value: string) => value !== '' && !value.includes('mine-');
  return {
    origin,
    count: () => arrived.length,
    /** Returns the names of received secrets that this host did not issue, each with the path of the request. */
    leaks: (secrets: Secrets): string[] =>
      arrived.flatMap(({ path, authorization, text }) => {
        const sent = [...text.matchAll(SENT_SECRETS)].map(([, value = '']) => value);
        const foreign = [authorization, ...sent].some(isForeign);
        return [...secrets.findIn(Buffer.from(text)), ...(foreign ? ['a token'] : [])].map(
          (name) => `${name} at ${path}`,
        );
      }),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export type ListeningHost = Awaited<ReturnType<typeof startListeningHost>>;
