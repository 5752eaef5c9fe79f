import { sql } from 'kysely';
import { describe, expect, inject, test } from 'vitest';
import { openTestDatabase } from '../../test/support/test-database.js';

describe.skipIf(inject('postgres') === undefined)('what PostgreSQL says', () => {
  test.each([
    { title: 'a deadlock', state: '40P01', code: 'unavailable' },
    { title: 'too many connections', state: '53300', code: 'unavailable' },
    { title: 'an owner that is gone', state: '23503', code: 'conflict' },
    { title: 'a fault of the query', state: '42601', code: '42601' },
  ])('of $title becomes $code', async ({ state, code }) => {
    const { database } = await openTestDatabase();
    const raise = sql.raw(`do $$ begin raise exception 'x' using errcode = '${state}'; end $$`);
    await expect(raise.execute(database)).rejects.toMatchObject({ code });
  });
});
