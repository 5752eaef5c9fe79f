import { isReading, type Proxied } from '../tenants/proxy-limits.js';
import { batchForm } from '../upstream/batch.js';
import { canonicalPath } from '../upstream/canonical-path.js';
import type { Call } from './call.js';
import { hasBody } from './request-body.js';

/** What limits and policies hear of a request through the proxy. */
export function judge(
  request: Call['request'],
  { method, path }: { readonly method: string; readonly path: string },
): Proxied {
  const sent = canonicalPath(path);
  const isEmpty = isReading({ method: request.method ?? '', isBatch: false }) && !hasBody(request);
  return { method, path: sent, isBatch: !isEmpty && batchForm(request.headers, sent) !== undefined };
}
