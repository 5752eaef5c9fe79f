import { isJsonObject } from '@svc/catalog';

/** Plain text of a block: its text, cells, caption, title or formula; empty when it has none. */
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
