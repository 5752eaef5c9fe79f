import { expiredRowsTable } from './expired-rows-table.js';
import { instancesTable } from './instances-table.js';
import { ownedRowsTable } from './owned-rows-table.js';
import { rateBucketsTable } from './rate-buckets-table.js';
import type { Database } from './schema.js';
import { searchTable } from './search-table.js';
import { serverFactsTable } from './server-facts-table.js';
import { settingsTable } from './settings-table.js';
import { freeSpaceTable, sizesTable } from './size-tables.js';

/** Queries of the service's own state: settings, instances, table sizes, and the deletion of old rows. */
export const createServiceTables = (database: Database) => ({
  settings: settingsTable(database),
  search: searchTable(database),
  rateBuckets: rateBucketsTable(database),
  instances: instancesTable(database),
  ownedRows: ownedRowsTable(database),
  expiredRows: expiredRowsTable(database),
  sizes: sizesTable(database),
  freeSpace: freeSpaceTable(database),
  serverFacts: serverFactsTable(database),
});
