import { createHash } from 'node:crypto';
import { at, cutText, isJsonObject, type JsonObject, type Watch } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import { isPlainText } from '../text/plain-text.js';

/** Item of a watched list, as the upstream returned it. */
export interface ListedItem {
  readonly id: string;
  readonly key: string;
  /**
   * Version of the item, such as its ETag or the time of its last change. `undefined` for a list whose items never
   * change.
   */
  readonly version: string | undefined;
  /** SHA-256 digest of `version`. A different stored digest shows that the item has changed. */
  readonly versionDigest: string;
  /** Time of the item's last change, in milliseconds since 1970. 0 if the list contains no such time. */
  readonly at: number;
  readonly createdAt: number | undefined;
  readonly isDeleted: boolean;
  readonly data: JsonObject;
}

const MAX_ID_CHARACTERS = 1024;
const MAX_VERSION_CHARACTERS = 1024;

const unreadable = (problem: string): ServiceError =>
  new ServiceError(
    'upstream_failed',
    `The list that this tool returns cannot be watched, because ${problem}. Report this to the maintainer of the connector.`,
  );

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;

const timeAt = (item: JsonObject, path: string | undefined): number | undefined => {
  const time = path === undefined ? Number.NaN : Date.parse(textOf(at(item, path)) ?? '');
  return Number.isNaN(time) ? undefined : time;
};

function readItem(watch: Watch, item: unknown): ListedItem {
  const id = isJsonObject(item) ? textOf(at(item, watch.id)) : undefined;
  if (
    !isJsonObject(item) ||
    id === undefined ||
    id === '' ||
    id.length > MAX_ID_CHARACTERS ||
    !isPlainText(id)
  )
    throw unreadable('an item has no usable id');
  const changedAt = timeAt(item, watch.time);
  if (watch.time !== undefined && changedAt === undefined)
    throw unreadable(`an item has no time in "${watch.time}"`);
  const version = watch.version === undefined ? undefined : textOf(at(item, watch.version));
  const { deleted } = watch;
  return {
    id,
    key: digestOf(id),
    version: version === undefined ? undefined : cutText(version, MAX_VERSION_CHARACTERS),
    versionDigest: digestOf(version ?? ''),
    at: changedAt ?? 0,
    createdAt: timeAt(item, watch.created),
    isDeleted: deleted !== undefined && at(item, deleted.at) === deleted.equals,
    data: item,
  };
}

/** Returns the items of a page. If the page contains an item twice, returns only the last occurrence. */
export function readItems(watch: Watch, items: string, data: unknown): readonly ListedItem[] {
  const list = at(data, items) ?? [];
  if (!Array.isArray(list)) throw unreadable(`"${items}" is not a list`);
  const byKey = new Map<string, ListedItem>();
  for (const item of list) {
    const read = readItem(watch, item);
    byKey.set(read.key, read);
  }
  return [...byKey.values()];
}
