import type { Migrating } from '../first-tables/owned.js';

export async function addApplicationLogos(database: Migrating): Promise<void> {
  await database.schema.alterTable('applications').addColumn('logo', 'text').execute();
}
