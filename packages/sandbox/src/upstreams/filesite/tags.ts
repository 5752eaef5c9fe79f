import { resourceModified } from './api-error.js';
import type { Call } from './call.js';
import { cTagOf, eTagOf, type ItemRecord } from './state.js';

/** Whether a header names one of the item's tags; either of them will do. */
export function namesTag(header: string, item: ItemRecord): boolean {
  if (header.trim() === '*') return true;
  const tags = header.split(/,(?=\s*(?:W\/)?")/).map((tag) => tag.trim());
  return tags.includes(eTagOf(item)) || tags.includes(cTagOf(item));
}

/** If-Match: the item has to be there, as the caller last saw it. */
export function checkIfMatch(call: Call, item: ItemRecord | undefined): void {
  const wanted = call.header('if-match');
  if (wanted !== undefined && (item === undefined || !namesTag(wanted, item))) throw resourceModified();
}
