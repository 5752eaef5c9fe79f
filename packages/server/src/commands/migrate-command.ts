import type { Command } from './command.js';

// The tables are brought up to date wherever the database is opened: this command opens it and tells.
export const migrate: Command = {
  name: 'migrate',
  summary: 'Make the tables of a new database, or bring those of an older version up to date',
  makesDatabase: true,
  needsService: 'stopped',
  run: async ({ migrated }) => ({
    data: { migrated },
    text:
      migrated.length === 0
        ? 'The tables are up to date.'
        : ['The tables were brought up to date:', ...migrated.map((name) => `  ${name}`)].join('\n'),
  }),
};
