import { UsageError } from '../config/usage-error.js';
import type { Command } from './command.js';

/** The database alone: a backup together with the root key would open itself. */
export const backup: Command = {
  name: 'backup',
  summary:
    'Copy the database of the data folder into a new file, while the service runs; of a PostgreSQL, use pg_dump',
  takes: ['file'],
  needsService: 'any',
  run: async ({ copyDatabase }, input) => {
    const file = input.argument('file');
    if (file === '') throw new UsageError('Name the file to copy the database into.');
    await copyDatabase(file);
    return {
      data: { file },
      text: `The database is copied into ${file}. Without its root keys it opens nothing: keep those elsewhere.`,
    };
  },
};
