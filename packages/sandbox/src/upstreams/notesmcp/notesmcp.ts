import type { FastifyReply, FastifyRequest } from 'fastify';
import { addMcpEndpoint, rpcFailure } from '../../mcp/endpoint.js';
import { createMcpServer } from '../../mcp/server.js';
import type { AuthorizationServer } from '../../oauth/authorization-server.js';
import { perPerson, personById } from '../../person.js';
import type { OAuthUpstream } from '../../upstream.js';
import { createAccount } from './account.js';
import { addMetadata, RESOURCE_METADATA_PATH } from './metadata.js';
import { addNotesOAuth, notesOAuth, RESOURCE_PATH, RESOURCE_SCOPE } from './oauth.js';
import { notesTools } from './tools.js';

export const notesmcp: OAuthUpstream = {
  id: 'notesmcp',
  title: 'Meeting notes',
  oauth: notesOAuth,
  rateLimit: { requests: 100, perSeconds: 60 },
  failure: (status) => rpcFailure({ code: -32000, message: `The server answered ${status}.` }),
  mount(app, { authorizationServer, clock, dials, root }) {
    const accounts = perPerson((person) => createAccount(person, clock.now));
    addMetadata(app, root, authorizationServer.baseUrl);
    addNotesOAuth(app, authorizationServer);
    const sessions = addMcpEndpoint(app, {
      path: RESOURCE_PATH,
      caller: (request, reply) => callerOf(authorizationServer, request, reply),
      createServer(caller) {
        const person = personById(caller);
        const tools = person === undefined ? [] : notesTools(accounts.of(person));
        return createMcpServer({ name: 'Granola', version: '1.4.0', tools });
      },
      answersJson: () => dials().mcpAnswers === 'json',
      isStateless: () => dials().mcpSpeaks === 'stateless',
    });
    return {
      reset() {
        accounts.reset();
        sessions.end();
      },
    };
  },
};

async function callerOf(
  { access, baseUrl }: AuthorizationServer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string | undefined> {
  const metadata = `resource_metadata="${baseUrl}${RESOURCE_METADATA_PATH}"`;
  const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) return challenge(reply, 401, metadata);
  const found = await access(token);
  if (found === undefined || found.audience !== baseUrl + RESOURCE_PATH)
    return challenge(reply, 401, `error="invalid_token", ${metadata}`);
  if (!found.scopes.has(RESOURCE_SCOPE))
    return challenge(reply, 403, `error="insufficient_scope", scope="${RESOURCE_SCOPE}", ${metadata}`);
  return found.person.id;
}

function challenge(reply: FastifyReply, status: 401 | 403, parameters: string): undefined {
  const message = status === 401 ? 'Unauthorized' : 'Forbidden';
  reply.code(status).header('www-authenticate', `Bearer ${parameters}`);
  reply.send(rpcFailure({ code: -32001, message }));
}
