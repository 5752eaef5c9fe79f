import { sql } from 'kysely';
import type { Database } from './schema.js';

/** Request of one instance to take calls from the shared token bucket `key`. */
export interface RateRequest {
  readonly key: string;
  /**
   * Number of calls that the instance has already made without permission of the bucket. If it returns permitted calls
   * that it did not use, the number is negative.
   */
  readonly used: number;
  /** Number of calls for which the instance now requests permission from the token bucket. */
  readonly wanted: number;
  readonly burst: number;
  readonly perSecond: number;
}

export interface RateResponse {
  readonly key: string;
  /** Number of calls that the token bucket permits, at most `wanted`. */
  readonly granted: number;
  /** Number of calls that the token bucket can still permit to other instances. */
  readonly left: number;
}

// SQL expression for the time of the database's clock in milliseconds since 1970. It is used because all instances
// share the database.
const NOW = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::double precision`;

/**
 * Queries of the token buckets for rate limits that several instances share. `full_at`: time in milliseconds since
 * 1970, by the database's clock, at which a bucket is full again.
 */
export const rateBucketsTable = (database: Database) => {
  // Locks the rows of token buckets in the order of their keys, so that two instances never deadlock.
  const update = (requests: string) => sql<RateResponse>`
    with requested as (
      select * from json_to_recordset(${requests}::json) as given(
        key text, used double precision, wanted double precision,
        burst double precision, "perSecond" double precision
      )
    ), locked_buckets as materialized (
      select key, full_at from rate_buckets where key in (select key from requested) order by key for update
    ), charged as (
      select key, wanted, burst, 1000 / "perSecond" as step, now,
        greatest(now, greatest(now, full_at) + used * 1000 / "perSecond") as full_at
      from locked_buckets join requested using (key), (select ${NOW} as now) as clock
    ), decided as (
      select *, least(wanted, greatest(0, burst - (full_at - now) / step)) as grantable from charged
    )
    update rate_buckets set
      full_at = decided.full_at + decided.grantable * decided.step,
      granted = decided.grantable
    from decided where rate_buckets.key = decided.key
    returning rate_buckets.key as key, decided.grantable as granted,
      decided.burst - decided.grantable - (decided.full_at - decided.now) / decided.step as left`;

  return {
    /**
     * Takes calls from several token buckets in one statement. If a bucket does not exist yet, two more statements are
     * needed.
     */
    take: async (requests: readonly RateRequest[]): Promise<readonly RateResponse[]> => {
      const { rows } = await update(JSON.stringify(requests)).execute(database);
      if (rows.length === requests.length) return rows;
      const known = new Set(rows.map(({ key }) => key));
      const missing = requests.filter(({ key }) => !known.has(key));
      const keys = JSON.stringify(missing.map(({ key }) => key).toSorted());
      await sql`insert into rate_buckets (key, full_at, granted)
        select value, 0, 0 from json_array_elements_text(${keys}::json) on conflict do nothing`.execute(
        database,
      );
      const others = await update(JSON.stringify(missing)).execute(database);
      return [...rows, ...others.rows];
    },
  };
};

export type RateBuckets = ReturnType<typeof rateBucketsTable>;
