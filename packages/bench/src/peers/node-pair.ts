/** node:http to node:http, without any duty. */
import { Agent, createServer, request as sendRequest } from 'node:http';
import { peerSettings } from './settings.ts';

const { port, upstream } = peerSettings();
const agent = new Agent({ keepAlive: true });

createServer((request, reply) => {
  const sent = sendRequest(
    upstream + request.url,
    { agent, method: request.method, headers: request.headers },
    (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(reply);
    },
  );
  sent.on('error', () => reply.destroy());
  request.pipe(sent);
}).listen(port, '127.0.0.1');
