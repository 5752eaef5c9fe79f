/**
 * Proxy for comparison with the service: a `node:http` server and client, without token checks, header filters or
 * credentials.
 */
import { Agent, createServer, request as sendRequest } from 'node:http';
import { readPeerSettings } from './settings.ts';

const { port, upstream } = readPeerSettings();
const agent = new Agent({ keepAlive: true });

createServer((request, reply) => {
  const sent = sendRequest(
    upstream + request.url,
    { agent, method: request.method, headers: request.headers },
    (response) => {
      reply.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(reply);
    },
  );
  sent.on('error', () => reply.destroy());
  request.pipe(sent);
}).listen(port, '127.0.0.1');
