import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { rulesReporter } from './test/support/rules-reporter.js';

// Some tests compile packages or whole catalogues, or start processes: seconds each on a busy machine.
export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // By itself it leaves one of two cores idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
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
          // It is about a protocol that has nothing to do with the database.
          exclude: ['test/conformance/**'],
        },
      },
    ],
  },
});
