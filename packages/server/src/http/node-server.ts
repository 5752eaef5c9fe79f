import type { RequestListener, Server, ServerOptions } from 'node:http';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Creates an HTTP server of Node.js, which is imported by this room alone (rule N1). */
export function createNodeServer(options: ServerOptions, handle: RequestListener): Server {
  // `import` would evaluate every export of node:http, fetch included, which takes a tenth of the CPU time of a start.
  const { createServer }: typeof import('node:http') = require('node:http');
  return createServer(options, handle);
}
