/** Fastify with its plugin for proxies, without any duty. */
import replyFrom from '@fastify/reply-from';
import fastify from 'fastify';
import { peerSettings } from './settings.ts';

const { port, upstream } = peerSettings();
const app = fastify();
await app.register(replyFrom, { base: upstream, undici: { connections: 128, pipelining: 1 } });
app.all('/*', (_request, reply) => reply.from());
await app.listen({ port, host: '127.0.0.1' });
