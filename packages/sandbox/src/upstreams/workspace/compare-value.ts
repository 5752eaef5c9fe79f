import { isObject } from '../../json.js';
import { dateStart, texts } from './present-value.js';
import type { PropertyColumn } from './property-schema.js';
import type { PageRecord } from './state.js';

/** A value as filters and sorts see it. */
export type Comparable = string | number | boolean | readonly string[] | undefined;

/** What a row holds in a column: option names, plain text, ids or numbers; undefined when it is empty. */
export function comparable(column: PropertyColumn, page: PageRecord): Comparable {
  const stored = page.values.get(column.id);
  const optionName = (id: unknown) => column.options.find((option) => option.id === id)?.name;
  switch (column.type) {
    case 'title':
    case 'rich_text':
      return plainOf(stored);
    case 'select':
      return optionName(stored);
    case 'status':
      return optionName(stored) ?? column.options[0]?.name;
    case 'multi_select':
      return filled(texts(stored).flatMap((id) => optionName(id) ?? []));
    case 'people':
    case 'relation':
      return filled(texts(stored));
    case 'files':
      return Array.isArray(stored) && stored.length > 0 ? ['file'] : undefined;
    case 'date':
      return dateStart(stored);
    case 'checkbox':
      return stored === true;
    default:
      return ownValue(column, page) ?? scalar(stored);
  }
}

function ownValue({ type }: PropertyColumn, page: PageRecord): Comparable {
  if (type === 'created_time') return new Date(page.createdTime).toISOString();
  if (type === 'last_edited_time') return new Date(page.lastEditedTime).toISOString();
  if (type === 'created_by') return [page.createdBy];
  if (type === 'last_edited_by') return [page.lastEditedBy];
  return type === 'unique_id' ? page.serial : undefined;
}

function plainOf(stored: unknown): string | undefined {
  const plain = Array.isArray(stored)
    ? stored.map((item) => (isObject(item) ? item.plain_text : '')).join('')
    : '';
  return plain === '' ? undefined : plain;
}

function filled(list: readonly string[]): readonly string[] | undefined {
  return list.length === 0 ? undefined : list;
}

function scalar(stored: unknown): string | number | undefined {
  return typeof stored === 'string' || typeof stored === 'number' ? stored : undefined;
}
