import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { takeTemporaryFolder } from '../../scripts/temporary-folder.ts';
import { LongestFirst } from './test/support/runner/longest-first.js';
import { mutant, readFault } from './test/support/runner/mutant.js';
import { rulesReporter } from './test/support/runner/rules-reporter.js';
import { seedOfRun } from './test/support/runner/seed-of-run.js';

// The name of a test file says where it runs: `*.ci.test.ts` in `npm run test:ci` alone, `*.quiet.test.ts` at its end,
// when nothing else runs, `*.sqlite.*` and `*.postgres.*` on that database alone. Everything else runs on SQLite in
// `npm test`, the folder test/smoke on PostgreSQL as well.
const CI = '**/*.ci.test.ts';
const QUIET = '**/*.quiet.test.ts';
const SMOKE = ['test/smoke/**/*.test.ts'];
const ALL = ['**/*.test.ts'];

interface Selection {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/**
 * Files of `vitest --mode short` (`npm test`), `--mode ci` and `--mode quiet` (`npm run test:ci`), before the names of
 * databases count.
 */
const RUNS: Readonly<Record<string, Readonly<Record<'sqlite' | 'postgres', Selection>>>> = {
  short: {
    sqlite: { include: ALL, exclude: [CI, QUIET] },
    postgres: { include: SMOKE, exclude: [CI, QUIET] },
  },
  ci: { sqlite: { include: [CI], exclude: [] }, postgres: { include: ALL, exclude: [QUIET] } },
  quiet: { sqlite: { include: [QUIET], exclude: [] }, postgres: { include: [QUIET], exclude: [] } },
};
/** Any other mode, as in full runs and where a file is named: both databases. */
const EVERYTHING = { sqlite: { include: ALL, exclude: [] }, postgres: { include: ALL, exclude: [] } };

// Module mocks, and counts of the buffers or the calls of a process, need a worker of their own.
const NEEDS_OWN_WORKER = /vi\.mock\(|\.arrayBuffers|startPreciseCoverage/;
const APART = globSync('{src,test}/**/*.test.ts', { cwd: import.meta.dirname }).filter((file) =>
  NEEDS_OWN_WORKER.test(readFileSync(path.join(import.meta.dirname, file), 'utf8')),
);

/** The tests of one database: most in workers that load the service once, some in a worker of their own. */
function projectsOf(name: string, test: Selection & { readonly globalSetup?: string }) {
  const include = [...test.include];
  const exclude = [...configDefaults.exclude, ...test.exclude];
  const apart = APART.filter((file) => include.some((pattern) => path.matchesGlob(file, pattern)));
  const base = { ...test, include, exclude };
  return [
    {
      extends: true as const,
      test: { ...base, name, isolate: false, exclude: [...exclude, ...APART] },
    },
    { extends: true as const, test: { ...base, name: `${name}-apart`, include: apart } },
  ];
}

// SQLite's worker threads would otherwise strip the types of the same files again, which takes as long as their work.
process.env['NODE_COMPILE_CACHE'] ??= path.join(import.meta.dirname, 'node_modules/.compiled');

takeTemporaryFolder();

// Some tests compile packages or whole catalogues, or start processes: seconds each on a busy machine.
export default defineConfig(({ mode }) => {
  const { sqlite, postgres } = RUNS[mode] ?? EVERYTHING;
  const isQuiet = mode === 'quiet';
  return {
    plugins: mutant(),
    test: {
      // Its entries are of sources without the mutant.
      fsModuleCache: readFault() === undefined,
      testTimeout: 60_000,
      hookTimeout: 60_000,
      // A change that a test waits for may take seconds on a busy machine.
      expect: { poll: { timeout: 20_000 } },
      // Many tests wait, for a process to start or a pause to end: two cores have time for three.
      maxWorkers: isQuiet ? 1 : Math.max(3, availableParallelism() - 1),
      setupFiles: ['../../scripts/folder-of-test-file.ts', 'test/support/runner/set-seed.ts'],
      provide: { seed: seedOfRun() },
      sequence: { sequencer: LongestFirst },
      reporters: [
        'default',
        rulesReporter(path.join(import.meta.dirname, `tested-rules${isQuiet ? '.quiet' : ''}.json`)),
      ],
      projects: [
        ...projectsOf('sqlite', { ...sqlite, exclude: [...sqlite.exclude, '**/*.postgres.*'] }),
        ...projectsOf('postgres', {
          ...postgres,
          exclude: [...postgres.exclude, '**/*.sqlite.*'],
          globalSetup: 'test/support/databases/postgres.ts',
        }),
      ],
    },
  };
});
