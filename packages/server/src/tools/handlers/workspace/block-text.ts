import { isJsonObject } from '@svc/catalog';

/**
 * Returns the plain text of a content block of a page: its text, table cells, caption, title or formula. Returns an
 * empty string if the block has none.
 */
export function blockText(block: unknown): string {
  const content = isJsonObject(block) && typeof block['type'] === 'string' ? block[block['type']] : undefined;
  if (!isJsonObject(content)) return '';
  const { rich_text, caption, cells, title, expression } = content;
  if (Array.isArray(rich_text)) return plainText(rich_text);
  if (Array.isArray(cells)) return cells.map(plainText).join(' | ');
  if (Array.isArray(caption)) return plainText(caption);
  return [title, expression].find((text) => typeof text === 'string') ?? '';
}

function plainText(items: unknown): string {
  if (!Array.isArray(items)) return '';
  return items
    .map((item) => (isJsonObject(item) && typeof item['plain_text'] === 'string' ? item['plain_text'] : ''))
    .join('');
}
