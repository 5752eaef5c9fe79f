import type { JsonObject, ToolVersion, Watch, WatchedSince } from '@svc/catalog';

/** Position up to which a watch has read its list. The database stores it encrypted. */
export interface WatchCursor {
  /**
   * Sync token that the upstream returned with the last page when the list was last read. The next poll sends it to get
   * only later changes.
   */
  readonly token?: string;
  /** Time before which the watch has read all changes, in milliseconds since 1970. */
  readonly since?: number;
  /**
   * Time in milliseconds since 1970. An item that was created earlier but is not stored yet is reported as changed, not
   * as created.
   */
  readonly newSince?: number;
  /** Progress of a poll that has not read all pages yet. Absent between polls. */
  readonly walk?: Walk;
  /** Number of polls in a row that the upstream refused. */
  readonly refused?: number;
}

interface Walk {
  /** Tool inputs that select the next page, such as a page token. Absent for the first page. */
  readonly next?: JsonObject;
  /**
   * Time at which this poll began to read the list, in milliseconds since 1970. It does not change when the poll reads
   * the list again.
   */
  readonly startedAt: number;
  readonly pages: number;
  /** True if the poll has found a new or changed item during this reading of the list. */
  readonly hasFound: boolean;
  /** Number of times that this poll has begun to read the list again. 0 during the first reading. */
  readonly repeats: number;
  /** True if the upstream could not return all items of a page that this poll has read. */
  readonly hasFailed?: boolean;
  /**
   * Sync token in the last page of the complete list. It is set while the watch reports the stored items that are
   * missing in that list.
   */
  readonly finalToken?: string;
}

/** List that a watch polls by calling a tool. */
export interface WatchedList {
  readonly version: ToolVersion;
  readonly watch: Watch;
  /** Path of the array of items in the tool's result. */
  readonly items: string;
  /** Tool input that the application sent when it created the watch. */
  readonly input: JsonObject;
}

/** Properties of a page that decide which page is read next, or that the poll is complete. */
export interface ReadPage {
  /** Tool inputs that select the next page. `undefined` after the last page. */
  readonly next: JsonObject | undefined;
  /** Sync token in the tool's result. `undefined` if the page contains none. */
  readonly token: string | undefined;
  readonly hasFound: boolean;
  /** True if the upstream could not return all items of this page. */
  readonly hasFailed: boolean;
  /**
   * True if this page contains an item that changed before `since`, in a list that is sorted by time in descending
   * order. The watch then already knows all later pages.
   */
  readonly hasReached: boolean;
}

/**
 * Maximum number of times that a poll reads the same list again. It does so if the previous reading has found changes.
 */
const MAX_REPEATS = 3;
const DAY_MS = 86_400_000;
/**
 * Time in milliseconds before a poll whose changes the next poll reads again, if the upstream could not return all
 * items. It is limited, because an upstream may never return a broken item.
 */
const FAILED_OVERLAP_MS = DAY_MS;

const overlapOf = ({ since, newestFirst }: Watch): number =>
  1000 * (since ?? newestFirst ?? { overlap: 0 }).overlap;

/**
 * Creates a new watch's position in its list. `isFromStart`: true if the watch should also report items that already
 * exist.
 */
export function firstCursor(watch: Watch, now: number, isFromStart: boolean): WatchCursor {
  if (watch.syncToken) return {};
  const since = now - overlapOf(watch);
  if (!isFromStart) return { since, newSince: since };
  return { since: watch.since ? now - watch.since.reach * DAY_MS : 0, newSince: 0 };
}

/** Returns true if the watch has paused for so long that the upstream no longer lists all changes since `since`. */
export const isOutOfReach = ({ since: way }: Watch, { since }: WatchCursor, now: number): boolean =>
  way !== undefined && since !== undefined && since < now - (way.reach + 1) * DAY_MS;

/**
 * Returns true if the poll reads the complete list, because the watch has no sync token yet. Only then can it detect
 * deleted items by their absence.
 */
export const isFullWalk = ({ syncToken }: Watch, { token }: WatchCursor): boolean =>
  syncToken !== undefined && token === undefined;

/**
 * Formats the time `at` (milliseconds since 1970) for the tool input that filters items by the time of their last
 * change.
 */
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

/** Returns the body and the query parameters that the service adds to the upstream request for the next page. */
export const addedParts = ({ watch }: WatchedList, { token }: WatchCursor) => ({
  body: watch.body,
  query:
    watch.syncToken?.query === undefined || token === undefined
      ? undefined
      : { [watch.syncToken.query]: token },
});

export const newWalk = (now: number): Walk => ({ startedAt: now, pages: 0, hasFound: false, repeats: 0 });

/**
 * Returns the position in the list after reading a page. Its `walk` is absent if the poll is complete. If an item is
 * removed while several pages are read, other items can move to a page that was already read. Such a list is therefore
 * read again until nothing new is found.
 */
export function afterPage(watch: Watch, cursor: WatchCursor, page: ReadPage, now: number): WatchCursor {
  const before = cursor.walk ?? newWalk(now);
  const { next, hasReached } = page;
  const { finalToken: _, next: __, ...rest } = before;
  const walk: Walk = {
    ...rest,
    pages: before.pages + 1,
    hasFound: before.hasFound || page.hasFound,
    ...((before.hasFailed || page.hasFailed) && { hasFailed: true }),
  };
  const { token, since, newSince, refused } = cursor;
  const position = { token, since, newSince, refused };
  // Continues with the next page, unless all later items are already known.
  if (next !== undefined && !hasReached) return present({ ...position, walk: { ...walk, next } });
  if (watch.syncToken) {
    // Continues with the stored items that the complete list no longer contains, and reports them as deleted.
    if (isFullWalk(watch, cursor))
      return present({ ...position, walk: { ...walk, finalToken: page.token ?? '' } });
    // Ends the poll, because it has read all changes since the last sync token.
    return { ...(page.token !== undefined && { token: page.token }) };
  }
  const { startedAt, repeats } = walk;
  // Reads the list again if it has several pages and contained new items.
  if (walk.pages > 1 && walk.hasFound && repeats < MAX_REPEATS)
    return present({
      ...position,
      walk: { ...newWalk(startedAt), repeats: repeats + 1, ...(walk.hasFailed && { hasFailed: true }) },
    });
  // Ends the poll. The next one reads changes from a time before this poll began, because the upstream may list items
  // late.
  const overlap = Math.max(overlapOf(watch), walk.hasFailed ? FAILED_OVERLAP_MS : 0);
  return present({ newSince, since: Math.max(since ?? 0, startedAt - overlap) });
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
