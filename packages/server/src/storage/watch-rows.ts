/** State of a watch. A failed watch polls again only after the application has enabled it. */
export type WatchState = 'starting' | 'watching' | 'paused' | 'failed';

/** List of a tool that the service polls for an account, to report its new and changed items. */
export interface WatchRow {
  id: string;
  applicationId: string;
  accountId: string;
  toolName: string;
  /** Keyed digest of account, tool and input, which finds the watch when an application creates it again. */
  watchKey: string;
  /** Seconds between two polls. */
  every: number;
  enabled: number;
  state: WatchState;
  /** Reason why the watch is paused or failed; `null` in other states. */
  reason: string | null;
  /** Encrypted input of the tool. */
  input: string;
  /** Encrypted JSON of the position in the list; `null` before the first page. */
  cursor: string | null;
  /** Number of the current walk through the whole list. Items of earlier walks are missing in the list. */
  walk: number;
  /** Number of failed polls since the last successful one. */
  failures: number;
  /** Time of the next poll, or the end of the lease while an instance polls; `null` if no poll follows. */
  nextAt: number | null;
  /** Random id of the instance's claim while it polls; `null` otherwise. */
  claim: string | null;
  /** Time since when changes are reported; `null` while the first poll records the existing items. */
  startedAt: number | null;
  /** End of the last complete poll. */
  polledAt: number | null;
  createdAt: number;
  updatedAt: number;
}

/** Item that a watch has read, so that it is reported only once in each version. */
export interface WatchItemRow {
  applicationId: string;
  watchId: string;
  /** SHA-256 of the item's id, because an id may be longer than an index allows. */
  itemKey: string;
  /** Id of the item at the upstream. */
  itemId: string;
  /** Digest of the item's version. */
  version: string;
  /** Time of the item's last change, if the upstream lists items by it; 0 otherwise. */
  at: number;
  /** Number of the last walk that has read the item. */
  walk: number;
}
