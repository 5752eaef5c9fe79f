import type { RequestListener, Server, ServerOptions } from 'node:http';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Creates a Node.js HTTP server. Only the folder src/http may import node:http (rule N1 in security-rules.md). */
export function createNodeServer(options: ServerOptions, handle: RequestListener): Server {
  // Loads node:http with `require`, because `import` evaluates all its exports, including `WebSocket` with Node's fetch
  // implementation. That would cost a tenth of the CPU time of a start.
  const { createServer }: typeof import('node:http') = require('node:http');
  return createServer(options, handle);
}
