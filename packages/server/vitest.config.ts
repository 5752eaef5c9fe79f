import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { rulesReporter } from './test/support/rules-reporter.js';

// What a connector's tools or a command line do says little of the database: these see PostgreSQL in `npm run test:full`.
const ELSEWHERE_ENOUGH = [
  'test/{apps-command,commands,key-commands,operators-command}.test.ts',
  'test/every-*.test.ts',
  'test/{convintel,filesite,network,scrapermcp,video,workspace}*.test.ts',
  'test/{connect-pages,input-errors,large-inputs,ninth-connector,proxy-address,read-modify-write}.test.ts',
  'test/{crash,refused-calls,trash,upstream-advice,upstream-errors,upstream-retries}.test.ts',
];
// A protocol that has nothing to do with the database.
const WITHOUT_DATABASE = ['test/conformance/**'];

// Some tests compile packages or whole catalogues, or start processes: seconds each on a busy machine.
export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Many tests wait, for a process to start or a pause to end: two cores have time for three.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    setupFiles: ['test/support/fixed-seed.ts'],
    reporters: ['default', rulesReporter],
    projects: [
      {
        extends: true,
        // Instances share no file.
        test: { name: 'sqlite', exclude: [...configDefaults.exclude, 'test/instances.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          globalSetup: ['test/support/postgres.ts'],
          // Every room that sees a database, and whole flows.
          include: ['src/{accounts,routes,storage}/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...WITHOUT_DATABASE, ...(process.env['SVC_TEST_FULL'] === '1' ? [] : ELSEWHERE_ENOUGH)],
        },
      },
    ],
  },
});
