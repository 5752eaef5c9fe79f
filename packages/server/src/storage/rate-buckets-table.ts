import { sql } from 'kysely';
import type { Database } from './database.js';

/** One instance's wish for calls of one key. */
export interface RateWish {
  readonly key: string;
  /** What it has used without asking; below zero for what it gives back. */
  readonly used: number;
  /** What it would like to have. */
  readonly wanted: number;
  readonly burst: number;
  readonly perSecond: number;
}

export interface RateGrant {
  readonly key: string;
  /** At most what was wanted. */
  readonly granted: number;
  /** What there is for whoever asks next. */
  readonly left: number;
}

const SEEN_MS = 5000;
// The database's clock, which is the same for everybody.
const NOW = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::double precision`;

/** Buckets that instances take calls from: each is full again at `full_at`, by the clock of the database. */
export const rateBucketsTable = (database: Database) => {
  // Locked in one order, so that two instances never wait for each other.
  const update = (wishes: string) => sql<RateGrant>`
    with asked as (
      select * from json_to_recordset(${wishes}::json) as given(
        key text, used double precision, wanted double precision,
        burst double precision, "perSecond" double precision
      )
    ), held as materialized (
      select key, full_at from rate_buckets where key in (select key from asked) order by key for update
    ), charged as (
      select key, wanted, burst, 1000 / "perSecond" as step, now,
        greatest(now, greatest(now, full_at) + used * 1000 / "perSecond") as full_at
      from held join asked using (key), (select ${NOW} as now) as clock
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
    /** One statement for all of them, and one more where a bucket is new. */
    take: async (wishes: readonly RateWish[]): Promise<readonly RateGrant[]> => {
      const { rows } = await update(JSON.stringify(wishes)).execute(database);
      if (rows.length === wishes.length) return rows;
      const known = new Set(rows.map(({ key }) => key));
      const missing = wishes.filter(({ key }) => !known.has(key));
      const keys = JSON.stringify(missing.map(({ key }) => key).toSorted());
      await sql`insert into rate_buckets (key, full_at, granted)
        select value, 0, 0 from json_array_elements_text(${keys}::json) on conflict do nothing`.execute(
        database,
      );
      const others = await update(JSON.stringify(missing)).execute(database);
      return [...rows, ...others.rows];
    },

    /** Says that an instance is there; gives how many there are. */
    meet: async (id: string): Promise<number> => {
      await sql`insert into rate_instances (id, seen_at) values (${id}, ${NOW})
        on conflict (id) do update set seen_at = excluded.seen_at`.execute(database);
      const { rows } = await sql<{ count: number }>`select count(*)::integer as count
        from rate_instances where seen_at > ${NOW} - ${SEEN_MS}::integer`.execute(database);
      return rows[0]?.count ?? 1;
    },
  };
};

export type RateBuckets = ReturnType<typeof rateBucketsTable>;
