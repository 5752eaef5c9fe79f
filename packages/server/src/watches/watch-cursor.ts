import type { JsonObject, ToolVersion, Watch, WatchedSince } from '@svc/catalog';

/** Position up to which a watch has read its list. It is stored encrypted. */
export interface WatchCursor {
  /**
   * Sync token that the upstream returned at the end of the last complete list. The next poll sends it to get only
   * later changes.
   */
  readonly token?: string;
  /** Time in epoch milliseconds before which the watch has read all changes. */
  readonly since?: number;
  /**
   * Time in epoch milliseconds that separates new items from old ones. An item that was created earlier but is not
   * stored yet is reported as changed, not as created.
   */
  readonly newSince?: number;
  /** Progress of the poll that is reading the list page by page. Absent between polls. */
  readonly walk?: Walk;
  /** Number of consecutive polls that the upstream refused. */
  readonly refused?: number;
}

interface Walk {
  /** Tool inputs that select the next page, such as a page token. Absent for the first page. */
  readonly next?: JsonObject;
  /** Time in epoch milliseconds at which this poll began to read the list. It stays if the list is read again. */
  readonly startedAt: number;
  readonly pages: number;
  /** True if this reading of the list has found a new or changed item. */
  readonly hasFound: boolean;
  /** Number of times that this poll has begun to read the list again; 0 during the first reading. */
  readonly repeats: number;
  /**
   * Sync token from the last page of a complete list. It is set while the watch reports the items that are missing from
   * that list.
   */
  readonly finalToken?: string;
}

/** List that a watch polls by calling a tool. */
export interface WatchedList {
  readonly version: ToolVersion;
  readonly watch: Watch;
  /** Path of the array of items in the result of the tool. */
  readonly items: string;
  /** Tool input that the application gave when it created the watch. */
  readonly input: JsonObject;
}

/** Properties of a page of the list. They decide which page is read next, or that the poll is complete. */
export interface ReadPage {
  /** Tool inputs that select the next page; `undefined` after the last page. */
  readonly next: JsonObject | undefined;
  /** Sync token in the result of the tool; `undefined` if the page has none. */
  readonly token: string | undefined;
  readonly hasFound: boolean;
  /**
   * True if this page of a list in descending order of time has an item from before `since`. All later pages are then
   * already known.
   */
  readonly hasReached: boolean;
}

/**
 * Maximum number of times that a poll reads the same list again. Another reading is needed while the previous one has
 * found changes.
 */
const MAX_REPEATS = 3;
const DAY_MS = 86_400_000;

const overlapOf = ({ since, newestFirst }: Watch): number =>
  1000 * (since ?? newestFirst ?? { overlap: 0 }).overlap;

/** Creates the initial position of a watch in its list. `isFromStart`: true to report the items that already exist. */
export function firstCursor(watch: Watch, now: number, isFromStart: boolean): WatchCursor {
  if (watch.syncToken) return {};
  const since = now - overlapOf(watch);
  if (!isFromStart) return { since, newSince: since };
  return { since: watch.since ? now - watch.since.reach * DAY_MS : 0, newSince: 0 };
}

/** True if the watch has paused for so long that the upstream no longer lists all changes since then. */
export const isOutOfReach = ({ since: way }: Watch, { since }: WatchCursor, now: number): boolean =>
  way !== undefined && since !== undefined && since < now - (way.reach + 1) * DAY_MS;

/** True if the poll reads the whole list because the watch has no sync token yet. It can then detect deleted items. */
export const isFullWalk = ({ syncToken }: Watch, { token }: WatchCursor): boolean =>
  syncToken !== undefined && token === undefined;

/** Formats the time `at`, in epoch milliseconds, for the tool input that filters by time of change. */
function momentOf({ format }: WatchedSince, at: number): string {
  const text = new Date(at).toISOString();
  return format === 'date-time' ? text : text.slice(0, 19).replace('T', ' ');
}

/** Builds the tool input that requests the next page of the watched list. */
export function pageInput({ watch, input }: WatchedList, { token, since, walk }: WatchCursor): JsonObject {
  return {
    ...input,
    ...watch.input,
    ...(watch.since && since !== undefined && { [watch.since.input]: momentOf(watch.since, since) }),
    ...(watch.syncToken?.input !== undefined && token !== undefined && { [watch.syncToken.input]: token }),
    ...walk?.next,
  };
}

/** Returns the body and query parameters that the service adds to the upstream request for the next page. */
export const addedParts = ({ watch }: WatchedList, { token }: WatchCursor) => ({
  body: watch.body,
  query:
    watch.syncToken?.query === undefined || token === undefined
      ? undefined
      : { [watch.syncToken.query]: token },
});

export const newWalk = (now: number): Walk => ({ startedAt: now, pages: 0, hasFound: false, repeats: 0 });

/**
 * Returns the position in the list after a page was read. Its `walk` is absent if the poll is complete. If an item is
 * removed while a list of several pages is read, other items can move to a page that was already read. Such a list is
 * therefore read again until nothing new is found.
 */
export function afterPage(watch: Watch, cursor: WatchCursor, page: ReadPage, now: number): WatchCursor {
  const before = cursor.walk ?? newWalk(now);
  const { next, hasReached } = page;
  const { finalToken: _, next: __, ...rest } = before;
  const walk = { ...rest, pages: before.pages + 1, hasFound: before.hasFound || page.hasFound };
  const { token, since, newSince, refused } = cursor;
  const position = { token, since, newSince, refused };
  // Another page follows.
  if (next !== undefined && !hasReached) return present({ ...position, walk: { ...walk, next } });
  if (watch.syncToken) {
    // The whole list was read. The next step reports the stored items that it no longer contains.
    if (isFullWalk(watch, cursor))
      return present({ ...position, walk: { ...walk, finalToken: page.token ?? '' } });
    // All changes since the last sync token were read.
    return { ...(page.token !== undefined && { token: page.token }) };
  }
  const { startedAt, repeats } = walk;
  // A list of several pages had new items, so it is read again.
  if (walk.pages > 1 && walk.hasFound && repeats < MAX_REPEATS)
    return present({ ...position, walk: { ...newWalk(startedAt), repeats: repeats + 1 } });
  // The poll is complete. The next poll reads changes from a time before this poll started, because the upstream may
  // list items late.
  return present({ newSince, since: Math.max(since ?? 0, startedAt - overlapOf(watch)) });
}

type Absent<Type> = { readonly [Name in keyof Type]?: Type[Name] | undefined };

/** Removes properties that are `undefined`, because the position is stored as JSON. */
const present = ({ token, since, newSince, walk, refused }: Absent<WatchCursor>): WatchCursor => ({
  ...(token !== undefined && { token }),
  ...(since !== undefined && { since }),
  ...(newSince !== undefined && { newSince }),
  ...(walk !== undefined && { walk }),
  ...(refused !== undefined && { refused }),
});
