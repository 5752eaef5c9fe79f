/**
 * Proxy for comparison with the service: Fastify with `@fastify/reply-from`, without token checks, header filters or
 * credentials.
 */
import replyFrom from '@fastify/reply-from';
import fastify from 'fastify';
import { readPeerSettings } from './settings.ts';

const { port, upstream } = readPeerSettings();
const app = fastify();
await app.register(replyFrom, { base: upstream, undici: { connections: 128, pipelining: 1 } });
app.all('/*', (_request, reply) => reply.from());
await app.listen({ port, host: '127.0.0.1' });
