import type { Call } from '../front/call.js';
import { hasBody } from '../front/request-body.js';
import { isReading, type Proxied } from '../tokens/proxy-limits.js';
import { canonicalPath } from '../upstream/canonical-path.js';
import { batchForm } from './batch.js';

/** What limits and policies hear of a request through the proxy. */
export function judge(
  request: Call['request'],
  { method, path }: { readonly method: string; readonly path: string },
): Proxied {
  const sent = canonicalPath(path);
  const isEmpty = isReading({ method: request.method ?? '', isBatch: false }) && !hasBody(request);
  return { method, path: sent, isBatch: !isEmpty && batchForm(request.headers, sent) !== undefined };
}
