import type { Proxied } from '../tenants/proxy-limits.js';
import { batchForm } from '../upstream/batch.js';
import { canonicalPath } from '../upstream/canonical-path.js';
import type { Call } from './call.js';

/** What limits and policies hear of a request through the proxy. */
export function judge(
  { headers }: Call['request'],
  { method, path }: { readonly method: string; readonly path: string },
): Proxied {
  const sent = canonicalPath(path);
  return { method, path: sent, isBatch: batchForm(headers, sent) !== undefined };
}
