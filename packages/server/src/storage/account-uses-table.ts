import { sql } from 'kysely';
import type { Database } from './database.js';
import { kindOf } from './kind-of.js';
import type { AccountRow } from './schema.js';

export interface AccountUses {
  readonly accounts: readonly Pick<AccountRow, 'applicationId' | 'id'>[];
  readonly usedAt: number;
}

/** When accounts were used. */
export const accountUsesTable = (database: Database) => ({
  /** Writes it where that is later than what was written before by so much. */
  markUsed: async ({ accounts, usedAt }: AccountUses, leastMs: number): Promise<void> => {
    const keys = JSON.stringify(accounts.map(({ applicationId, id }) => [applicationId, id]));
    const isDue = sql`coalesce(used_at, 0) <= ${usedAt - leastMs}`;
    const found =
      kindOf(database) === 'sqlite'
        ? sql`(application_id, id) in (select value ->> 0, value ->> 1 from json_each(${keys})) and ${isDue}`
        : // What somebody else changes at this moment is left for the next time, so that nobody waits for anybody.
          sql`id = any (array(select found.id from json_array_elements(${keys}::json) as given (value)
            cross join lateral (select id from accounts
              where application_id = given.value ->> 0 and id = given.value ->> 1 and ${isDue}
              limit 1 for update skip locked) as found))`;
    await sql`update accounts set used_at = ${usedAt} where ${found}`.execute(database);
  },
});
