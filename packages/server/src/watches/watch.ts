import type { JsonObject } from '@svc/catalog';
import { etagOf } from '../records/etag.js';
import type { WatchState } from '../storage/watch-rows.js';
import type { WatchOf } from '../storage/watches-table.js';
import { isoTime } from '../text/iso-time.js';

/** Watch as the API returns it. A watch polls a list tool and reports changed items as events. */
export interface Watch {
  readonly id: string;
  readonly toolName: string;
  readonly toolInput: JsonObject;
  readonly accountId: string;
  readonly connectionName: string;
  readonly identifier: string;
  readonly account?: string;
  /** Interval between two polls of the list, in seconds. */
  readonly every: number;
  readonly enabled: boolean;
  readonly state: WatchState;
  readonly reason?: string;
  /** Time from which the watch reports changes, in ISO 8601. Absent while its first poll records the existing items. */
  readonly startedAt?: string;
  /** Time at which the last complete poll of the list ended, in ISO 8601. */
  readonly polledAt?: string;
  readonly nextPollAt?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly etag: string;
}

/**
 * Returns the ETag of a watch's settings. It does not depend on the watch's state, because each poll may change the
 * state.
 */
export const etagOfWatch = ({ id, every, enabled }: WatchOf): string => etagOf(id, every, enabled);

const timeOf = <Name extends string>(name: Name, time: number | null) =>
  (time === null ? {} : { [name]: isoTime(time) }) as Partial<Record<Name, string>>;

export function toWatch(row: WatchOf, toolInput: JsonObject): Watch {
  const { id, toolName, accountId, connectionName, identifier, account, every, state, reason } = row;
  return {
    id,
    toolName,
    toolInput,
    accountId,
    connectionName,
    identifier,
    ...(account && { account }),
    every,
    enabled: row.enabled === 1,
    state,
    ...(reason !== null && { reason }),
    ...timeOf('startedAt', row.startedAt),
    ...timeOf('polledAt', row.polledAt),
    ...timeOf('nextPollAt', row.nextAt),
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
    etag: etagOfWatch(row),
  };
}
