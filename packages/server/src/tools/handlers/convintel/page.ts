import { isJsonObject } from '@svc/catalog';
import type { Json } from '../workspace/json.js';

/** The page that follows; null after the last, whichever of the two ways the upstream says that it is the last. */
export function nextPageOf({ metadata }: Json): number | null {
  const { page, maxPage, nextPage } = isJsonObject(metadata) ? metadata : {};
  if (typeof nextPage !== 'number') return null;
  const isLast = typeof page === 'number' && typeof maxPage === 'number' && page >= maxPage;
  return isLast ? null : nextPage;
}
