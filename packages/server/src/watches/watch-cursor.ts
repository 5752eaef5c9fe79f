import type { JsonObject, ToolVersion, Watch, WatchedSince } from '@svc/catalog';

/** Position of a watch in the list. It is stored encrypted. */
export interface WatchCursor {
  /** Sync token of the last complete list. */
  readonly token?: string;
  /** Time in milliseconds since 1970: all changes before it are known. */
  readonly since?: number;
  /** Time in milliseconds since 1970: an unknown item that was created before it is not new. */
  readonly newSince?: number;
  /** Walk through the pages that has begun. */
  readonly walk?: Walk;
  /** Number of walks in a row that the upstream refused. */
  readonly refused?: number;
}

interface Walk {
  /** Inputs of the next page; absent for the first page. */
  readonly next?: JsonObject;
  /** Time in milliseconds of the first request of this walk, or of the walk that it repeats. */
  readonly startedAt: number;
  readonly pages: number;
  /** True if a page had an item that was not known in its version. */
  readonly hasFound: boolean;
  /** Number of walks that this walk repeats. */
  readonly repeats: number;
  /** Sync token at the end of a complete list, while items are searched that the list no longer has. */
  readonly finalToken?: string;
}

/** List that a watch reads. */
export interface WatchedList {
  readonly version: ToolVersion;
  readonly watch: Watch;
  /** Path of the items in the data of the tool. */
  readonly items: string;
  /** Input of the application. */
  readonly input: JsonObject;
}

/** Facts about a page that decide how its walk continues. */
export interface ReadPage {
  /** Inputs of the next page; `undefined` after the last page. */
  readonly next: JsonObject | undefined;
  /** Sync token in the data of the page. */
  readonly token: string | undefined;
  readonly hasFound: boolean;
  /** True if the page has an item from before `since`, so that all later pages are known. */
  readonly hasReached: boolean;
}

/** Maximum number of walks that read the same changes. A walk is repeated until it finds nothing new. */
const MOST_REPEATS = 3;
const DAY_MS = 86_400_000;

const overlapOf = ({ since, newestFirst }: Watch): number =>
  1000 * (since ?? newestFirst ?? { overlap: 0 }).overlap;

/** Creates the cursor of a new watch. `isFromStart`: reports the existing items too. */
export function firstCursor(watch: Watch, now: number, isFromStart: boolean): WatchCursor {
  if (watch.syncToken) return {};
  const since = now - overlapOf(watch);
  if (!isFromStart) return { since, newSince: since };
  return { since: watch.since ? now - watch.since.reach * DAY_MS : 0, newSince: 0 };
}

/** Returns whether the upstream no longer lists changes from the position of the cursor. */
export const isOutOfReach = ({ since: way }: Watch, { since }: WatchCursor, now: number): boolean =>
  way !== undefined && since !== undefined && since < now - (way.reach + 1) * DAY_MS;

/** Returns whether the walk reads the whole list, so that it finds missing items. */
export const isFullWalk = ({ syncToken }: Watch, { token }: WatchCursor): boolean =>
  syncToken !== undefined && token === undefined;

/** Formats a moment for the input of the tool. */
function momentOf({ format }: WatchedSince, at: number): string {
  const text = new Date(at).toISOString();
  return format === 'date-time' ? text : text.slice(0, 19).replace('T', ' ');
}

/** Builds the tool input of the next page. */
export function pageInput({ watch, input }: WatchedList, { token, since, walk }: WatchCursor): JsonObject {
  return {
    ...input,
    ...watch.input,
    ...(watch.since && since !== undefined && { [watch.since.input]: momentOf(watch.since, since) }),
    ...(watch.syncToken?.input !== undefined && token !== undefined && { [watch.syncToken.input]: token }),
    ...walk?.next,
  };
}

/** Returns what the service adds to the upstream request of the next page. */
export const addedParts = ({ watch }: WatchedList, { token }: WatchCursor) => ({
  body: watch.body,
  query:
    watch.syncToken?.query === undefined || token === undefined
      ? undefined
      : { [watch.syncToken.query]: token },
});

export const newWalk = (now: number): Walk => ({ startedAt: now, pages: 0, hasFound: false, repeats: 0 });

/**
 * Returns the cursor after a page; its walk is absent if the poll is complete. Removed items can shift others to a page
 * that was read before. A walk of several pages is therefore repeated until it finds nothing new.
 */
export function afterPage(watch: Watch, cursor: WatchCursor, page: ReadPage, now: number): WatchCursor {
  const before = cursor.walk ?? newWalk(now);
  const { next, hasReached } = page;
  const { finalToken: _, next: __, ...rest } = before;
  const walk = { ...rest, pages: before.pages + 1, hasFound: before.hasFound || page.hasFound };
  const { token, since, newSince, refused } = cursor;
  const position = { token, since, newSince, refused };
  if (next !== undefined && !hasReached) return present({ ...position, walk: { ...walk, next } });
  if (watch.syncToken) {
    if (isFullWalk(watch, cursor))
      return present({ ...position, walk: { ...walk, finalToken: page.token ?? '' } });
    return { ...(page.token !== undefined && { token: page.token }) };
  }
  const { startedAt, repeats } = walk;
  if (walk.pages > 1 && walk.hasFound && repeats < MOST_REPEATS)
    return present({ ...position, walk: { ...newWalk(startedAt), repeats: repeats + 1 } });
  return present({ newSince, since: Math.max(since ?? 0, startedAt - overlapOf(watch)) });
}

type Absent<Type> = { readonly [Name in keyof Type]?: Type[Name] | undefined };

/** Removes absent fields, because the cursor is stored as JSON. */
const present = ({ token, since, newSince, walk, refused }: Absent<WatchCursor>): WatchCursor => ({
  ...(token !== undefined && { token }),
  ...(since !== undefined && { since }),
  ...(newSince !== undefined && { newSince }),
  ...(walk !== undefined && { walk }),
  ...(refused !== undefined && { refused }),
});
