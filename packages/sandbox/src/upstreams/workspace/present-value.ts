import { isObject } from '../../json.js';
import type { PersonUser } from './identity.js';
import { minute } from './present.js';
import type { PageRecord, PropertyColumn } from './state.js';

const MAX_REFERENCES = 25;

export function presentValue(
  column: PropertyColumn,
  page: PageRecord,
  users: readonly PersonUser[],
  { isComplete = false } = {},
) {
  const { type } = column;
  const id = encodeURIComponent(column.id);
  const stored = page.values.get(column.id);
  if (type !== 'relation')
    return { id, type, [type]: presentInner(column, { stored, page, users, isComplete }) };
  const ids = texts(stored);
  const relation = ids.slice(0, isComplete ? undefined : MAX_REFERENCES).map((related) => ({ id: related }));
  return { id, type, relation, has_more: ids.length > MAX_REFERENCES };
}

interface Stored {
  readonly stored: unknown;
  readonly page: PageRecord;
  readonly users: readonly PersonUser[];
  readonly isComplete: boolean;
}

function presentInner(column: PropertyColumn, { stored, page, users, isComplete }: Stored): unknown {
  const option = (id: unknown) => column.options.find((known) => known.id === id) ?? null;
  const user = (id: string) => users.find((known) => known.id === id) ?? { object: 'user', id };
  switch (column.type) {
    case 'title':
    case 'rich_text':
    case 'files':
      return stored ?? [];
    case 'select':
      return option(stored);
    case 'status':
      return option(stored) ?? column.options[0] ?? null;
    case 'multi_select':
      return texts(stored).map(option);
    case 'people':
      return texts(stored)
        .slice(0, isComplete ? undefined : MAX_REFERENCES)
        .map(user);
    case 'checkbox':
      return stored ?? false;
    case 'created_time':
      return minute(page.createdTime);
    case 'last_edited_time':
      return minute(page.lastEditedTime);
    case 'created_by':
      return user(page.createdBy);
    case 'last_edited_by':
      return user(page.lastEditedBy);
    case 'unique_id':
      return { prefix: column.config.prefix ?? null, number: page.serial };
    default:
      return stored ?? null;
  }
}

export function texts(stored: unknown): string[] {
  return Array.isArray(stored) ? stored.filter((entry) => typeof entry === 'string') : [];
}

/** Returns the start of a date value as text. Undefined if the value is empty. */
export function dateStart(stored: unknown): string | undefined {
  return isObject(stored) && typeof stored.start === 'string' ? stored.start : undefined;
}
