/**
 * State of a watch, which is a list at an upstream that the service polls. A failed watch is polled again only after
 * the application has enabled it.
 */
export type WatchState = 'starting' | 'watching' | 'paused' | 'failed';

/** Watch: the service polls a list tool for an account, and reports new, changed and deleted items as events. */
export interface WatchRow {
  id: string;
  applicationId: string;
  accountId: string;
  toolName: string;
  /**
   * Keyed digest of the account, the list tool and its input. By it, the service finds an existing watch instead of
   * creating a second one.
   */
  watchKey: string;
  /** Interval between two polls, in seconds. */
  every: number;
  enabled: number;
  state: WatchState;
  /** Reason why the watch is paused or failed. `null` in other states. */
  reason: string | null;
  /** Encrypted JSON: the tool input with which the service polls the list. */
  input: string;
  /**
   * Encrypted JSON: the position in the list from which the next poll continues. `null` for the beginning of the list.
   */
  cursor: string | null;
  /**
   * Sequence number of the last reading of the complete list. Stored items with a lower number were missing in that
   * reading, so they no longer exist.
   */
  walk: number;
  /** Number of failed polls since the last successful one. */
  failures: number;
  /**
   * Time of the next poll, or the end of the claim (lease) while an instance polls the list, in milliseconds since
   * 1970. `null` if the service does not poll it.
   */
  nextAt: number | null;
  /**
   * Random id of the claim, the lease by which only one instance polls the list. `null` if no instance is polling it.
   */
  claim: string | null;
  /**
   * Time since when the service reports changes of the list, in milliseconds since 1970. `null` while the first poll
   * only records the existing items.
   */
  startedAt: number | null;
  /** Time when the last complete poll ended, in milliseconds since 1970. `null` before that. */
  polledAt: number | null;
  createdAt: number;
  updatedAt: number;
}

/** Item of a watched list, stored so that the service reports each version of the item only once. */
export interface WatchItemRow {
  applicationId: string;
  watchId: string;
  /** SHA-256 digest of the item's id, because the id may be longer than an index allows. */
  itemKey: string;
  /** Id of the item at the upstream. */
  itemId: string;
  /** Digest of the item's version. A different digest shows that the item has changed. */
  version: string;
  /** Time of the item's last change in milliseconds since 1970. 0 if the list contains no such time. */
  at: number;
  /** Sequence number of the last reading of the complete list that contained the item. */
  walk: number;
}
