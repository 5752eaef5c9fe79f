import { isObject } from '../../json.js';
import type { Version } from './call.js';
import type { PageRecord, Parent, Stamp, WorkspaceState } from './state.js';

export interface View {
  readonly state: WorkspaceState;
  readonly version: Version;
}

const partialUser = (id: string) => ({ object: 'user', id });

export function presentStamp({ createdTime, lastEditedTime, createdBy, lastEditedBy }: Stamp) {
  return {
    created_time: minute(createdTime),
    last_edited_time: minute(lastEditedTime),
    created_by: partialUser(createdBy),
    last_edited_by: partialUser(lastEditedBy),
  };
}

export function presentTrash({ inTrash }: Stamp, { hasArchived }: Version) {
  return hasArchived ? { archived: inTrash, in_trash: inTrash } : { in_trash: inTrash };
}

export function presentParent({ type, id }: Parent) {
  return type === 'workspace' ? { type, workspace: true } : { type, [type]: id };
}

export function address(id: string, title: string): string {
  const slug = title.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '');
  return `https://www.notion.so/${slug === '' ? '' : `${slug}-`}${id.replaceAll('-', '')}`;
}

const MINUTE = 60_000;

/** Formats a time as ISO 8601, rounded down to the minute, as the real service does. */
export function minute(time: number): string {
  return new Date(Math.floor(time / MINUTE) * MINUTE).toISOString();
}

export function titleOf(page: PageRecord): string {
  const title = page.values.get('title');
  return Array.isArray(title)
    ? title.map((item) => (isObject(item) ? String(item.plain_text ?? '') : '')).join('')
    : '';
}
