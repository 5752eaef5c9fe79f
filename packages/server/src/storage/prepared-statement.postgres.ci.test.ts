import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { newDatabaseUrl } from '../../test/support/databases/test-database.js';
import { openDatabase } from './database.js';
import { createStorage } from './storage.js';

test('PostgreSQL plans the read of wanted events once per connection, and again after a migration added a column', async () => {
  const url = (await newDatabaseUrl()) ?? '';
  const open = await openDatabase({ url, connections: 1 });
  onTestFinished(open.close);
  const { webhookEndpoints } = createStorage(open.database);
  const readOften = async () => {
    for (let read = 0; read < 10; read += 1)
      expect(await webhookEndpoints.wishes(['app_none'], 0)).toEqual([]);
  };

  await readOften();
  const { rows } = await sql<{ times: number }>`select generic_plans as times from pg_prepared_statements
    where statement like '%from webhook_endpoints%'`.execute(open.database);
  expect(rows).toEqual([{ times: 5 }]);

  await sql`alter table webhook_endpoints add column added text`.execute(open.database);
  await readOften();
});
