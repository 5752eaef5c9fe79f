import { isObject } from '../../json.js';
import type { PageRecord } from './state.js';

/** The plain title of a page. */
export function titleOf(page: PageRecord): string {
  const title = page.values.get('title');
  return Array.isArray(title)
    ? title.map((item) => (isObject(item) ? String(item.plain_text ?? '') : '')).join('')
    : '';
}
