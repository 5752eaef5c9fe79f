import type { ServerResponse } from 'node:http';
import type { ApiRequest, ResponseHeaders } from '../front/api-request.js';
import { RATE_HEADERS } from '../front/limit-calls.js';
import type { HttpResponse } from '../http/send-http.js';
import type { RunningExecution } from '../upstream/begin-execution.js';
import { responseHeaders } from '../upstream/headers.js';
import { keepRefusal } from './keep-refusal.js';
import type { Links } from './links.js';
import {
  hasUncheckedLinks,
  type LinkContext,
  rewriteBodyLinks,
  rewriteHeaderLinks,
} from './rewrite-links.js';

interface Exchange {
  readonly execution: RunningExecution;
  readonly links: Links;
  readonly context: LinkContext;
}

const isEndedByConnection = ({ status, headers }: HttpResponse, method: string | undefined): boolean =>
  ![204, 304].includes(status) &&
  method !== 'HEAD' &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined;

/**
 * Makes a proxied response of unknown length end when the connection closes. A final chunk would claim that the body is
 * complete, which the proxy cannot know.
 */
function endByConnection(response: ServerResponse, headers: ResponseHeaders): void {
  response.removeHeader('transfer-encoding');
  headers['connection'] = 'close';
}

/** Headers that depend on the exact bytes of a body. They are removed if links in the body are rewritten. */
const BYTE_HEADERS = ['content-length', 'content-md5', 'content-digest', 'repr-digest', 'digest'];

/**
 * Streams an upstream's response to the caller and rewrites its links. If the upstream's body is incomplete, the
 * response is aborted, so that it never looks complete to the caller.
 */
export function respond(
  apiRequest: ApiRequest,
  upstream: HttpResponse,
  { execution, links, context }: Exchange,
): void {
  const { status, headers: upstreamHeaders, body } = upstream;
  const { request, response } = apiRequest;
  const headers: ResponseHeaders = Object.assign(responseHeaders(upstreamHeaders), apiRequest.headers);
  // Copies the upstream's rate limit headers over the service's own, because the caller has to respect the upstream's
  // limits.
  for (const name of RATE_HEADERS)
    if (upstreamHeaders[name] !== undefined) headers[name] = upstreamHeaders[name];
  rewriteHeaderLinks(headers, links, context);
  const change = request.method === 'HEAD' ? undefined : rewriteBodyLinks(upstream, links, context);
  if (request.method !== 'HEAD' && hasUncheckedLinks(upstream, links, context))
    headers['svc-links'] = 'unchecked';
  const { edit, refusal } = keepRefusal(upstream, change);
  apiRequest.onClose(() =>
    execution.finish({
      status,
      upstreamStatus: status,
      errorCode: response.writableFinished ? null : 'connection_failed',
      refusal: refusal(),
    }),
  );
  // Removes Content-Length from a 204 response, because it would make a client wait for a body. RFC 9110, section 8.6,
  // forbids it.
  if (status === 204) delete headers['content-length'];
  if (isEndedByConnection(upstream, request.method)) endByConnection(response, headers);
  // Removes the headers that depend on the exact bytes of the body, because links in it are rewritten. The response
  // uses chunked encoding instead.
  if (change) for (const name of BYTE_HEADERS) delete headers[name];
  response.writeHead(status, headers);
  body.pipe(response, edit);
}
