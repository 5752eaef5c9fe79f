import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { BodyMemory } from '../concurrency/body-memory.js';
import { ServiceError } from '../errors.js';
import type { ApiRequest } from '../front/api-request.js';
import { type BodyLimits, openRequestBody } from '../front/request-body.js';
import type { OpenedBody } from '../upstream/forward.js';
import { findHiding, hideIn } from './hide-inner-credentials.js';
import type { Links } from './links.js';
import { restoreMcpBody } from './mcp-links.js';
import type { LinkContext } from './rewrite-links.js';

export interface ProxiedBodyOptions {
  readonly memory: BodyMemory;
  readonly limits: Omit<BodyLimits, 'holding'>;
  readonly links: Links;
}

interface ProxiedBody {
  /** Upstream path to which the proxied request is sent. */
  readonly path: string;
  readonly context: LinkContext;
  /**
   * True if the request body must be a single JSON-RPC message, because the token limits the number of calls and a
   * batch would count as one call.
   */
  readonly isOne: boolean | undefined;
}

/**
 * Matches the start of a body that is a single JSON-RPC message, and so a JSON object. A JSON-RPC batch never matches,
 * because it is an array: it starts with `[` in UTF-8 and UTF-16.
 */
const MESSAGE = /^(?:\xef\xbb\xbf)?[\t\n\r ]{0,256}\{/;
const MAX_START_BYTES = 260;

/**
 * Reads the first chunk of a request body and puts it back into the stream. Resolves to `undefined` if the stream is
 * empty.
 */
function peek(stream: Readable): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const finish = (first: Buffer | undefined): void => {
      stream.off('readable', onReadable).off('end', onEnd).off('error', reject);
      resolve(first);
    };
    const onEnd = (): void => finish(undefined);
    const onReadable = (): void => {
      const first: Buffer | null = stream.read();
      if (first === null) return;
      stream.unshift(first);
      finish(first);
    };
    stream.on('readable', onReadable).on('end', onEnd).on('error', reject);
  });
}

/**
 * Throws if a request body for an MCP server could be a JSON-RPC batch, which MCP revision 2025-03-26 allows. A token
 * with a call limit would count the whole batch as one call.
 */
async function assertOneMessage(opened: OpenedBody, headers: IncomingHttpHeaders): Promise<OpenedBody> {
  const { body } = opened;
  if (body === undefined) return opened;
  const first = Buffer.isBuffer(body) ? body : await peek(body);
  if (first === undefined) return { body: Buffer.alloc(0) };
  const isPlain = (headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity';
  if (isPlain && MESSAGE.test(first.toString('latin1', 0, MAX_START_BYTES))) return opened;
  if (!Buffer.isBuffer(body)) body.destroy();
  throw new ServiceError(
    'not_permitted',
    'This token has the limit `maxCalls`, so each request must be one call. Send one JSON-RPC message per request, without Content-Encoding.',
    { limit: 'maxCalls' },
  );
}

/**
 * Creates the function that prepares the reading of a proxied request's body. The body is not read before the request
 * has passed all checks.
 */
export function createBodyOpener({ memory, limits, links }: ProxiedBodyOptions) {
  return function bodyOpener(
    { applicationId, onClose, request }: ApiRequest,
    { path, context, isOne }: ProxiedBody,
  ): () => Promise<OpenedBody> {
    const { headers } = request;
    const hiding = findHiding(headers, path);
    return async function openBody() {
      const holding = memory.open(applicationId);
      onClose(holding.release);
      const given = await openRequestBody(request, { ...limits, holding });
      const opened = isOne ? await assertOneMessage(given, headers) : given;
      if (!hiding && context.isMcp) return restoreMcpBody(opened, { headers, links, proxied: context });
      return hiding ? hideIn(opened, hiding()) : opened;
    };
  };
}
