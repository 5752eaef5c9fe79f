import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { OF_BOTH, OF_EITHER } from './test/support/databases-of.js';
import { inTurns } from './test/support/in-turns.js';
import { LongestFirst } from './test/support/longest-first.js';
import { mutant } from './test/support/mutant.js';
import { isFull } from './test/support/rounds.js';
import { rulesReporter } from './test/support/rules-reporter.js';
import { seedOfRun } from './test/support/seed-of-run.js';

// A protocol, and packages, that have nothing to do with the database.
const WITHOUT_DATABASE = ['test/conformance/**', 'test/agents/official-clients.test.ts'];

// They stop the clock of their process; instances on PostgreSQL keep their limits by its clock (see test/instances.test.ts).
const OWN_CLOCK = ['test/rate-limits.test.ts'];

// What they show has the same database behind it as everything else: on the second one they run in full runs alone.
const ON_ONE_DATABASE = [
  // Routes have no SQL (rooms.test.ts); those three are about what the database keeps.
  'src/routes/!(add-idempotency|redirect-urls|verify-attempts).test.ts',
  'src/routes/operator/*.test.ts',
  'test/{calendar,convintel,filesite,network,notesmcp,scrapermcp,video,workspace}-*.test.ts',
  'test/every-*tool.test.ts',
  'test/agents/sign-in-*.test.ts',
  'test/{dry-run,filesite,mcp,mcp-discovery,ninth-connector,openapi,trash}.test.ts',
  'test/{apps-command,commands,key-commands,operators-command,stop,wrong-clocks}.test.ts',
  'test/{authorization-habits,connection-check,execution-story,inside-applications,operators,production,restart,secret-destinations,start,start-refused}.test.ts',
  'test/{generated-requests,revoke}.test.ts',
  'test/{input-errors,large-bodies,large-inputs,network-faults,read-modify-write,request-limits,tls,tool-bodies,tool-memory}.test.ts',
  'test/{disguised-requests,proxy,proxy-address,refused-calls,registration-redirects,replayed-bodies,unread-answers}.test.ts',
  'test/{upstream-advice,upstream-connections,upstream-errors,upstream-outage,upstream-retries}.test.ts',
  // Beside a process they show what src/vault shows of both databases.
  'test/{key-rotation,key-service}.test.ts',
];

// On SQLite they run in full runs alone: with one process they show less than on PostgreSQL, where there are several, and
// take as long; and PostgreSQL takes fewer texts than SQLite does.
const ON_POSTGRES = ['test/{refresh-fleet,refresh-killed}.test.ts', 'test/generated-forms.test.ts'];

// What they show is of one of the databases; instances share no file.
const OF_SQLITE = ['test/database-full.test.ts'];
const OF_POSTGRES = ['test/database-{down,faults}.test.ts', 'test/{instances,rolling-restarts}.test.ts'];

// They put something else in the place of modules, or count the buffers of their process: files that share a worker cannot.
const NEEDS_ITS_OWN = /vi\.mock\(|\.arrayBuffers/;
const APART = globSync('{src,test}/**/*.test.ts', { cwd: import.meta.dirname }).filter((file) =>
  NEEDS_ITS_OWN.test(readFileSync(path.join(import.meta.dirname, file), 'utf8')),
);

/** The tests of one database: most in workers that load the service once, some in a worker of their own. */
function projectsOf(name: string, test: NonNullable<TestProjectInlineConfiguration['test']>) {
  const exclude = [...configDefaults.exclude, ...(test.exclude ?? [])];
  const include = test.include ?? ['**'];
  const apart = APART.filter((file) => include.some((pattern) => path.matchesGlob(file, pattern)));
  return [
    { extends: true as const, test: { ...test, name, isolate: false, exclude: [...exclude, ...APART] } },
    { extends: true as const, test: { ...test, name: `${name}-apart`, include: apart, exclude } },
  ];
}

const notOnSqlite = [...OF_POSTGRES, ...(isFull ? [] : ON_POSTGRES)];
const notOnPostgres = [...WITHOUT_DATABASE, ...OWN_CLOCK, ...OF_SQLITE, ...(isFull ? [] : ON_ONE_DATABASE)];
const seed = seedOfRun();
const turns = inTurns({ among: OF_EITHER, except: [...notOnSqlite, ...notOnPostgres], seed });

// Each thread of SQLite has its types taken off again, which takes as long as all else in it.
process.env['NODE_COMPILE_CACHE'] ??= path.join(import.meta.dirname, 'node_modules/.compiled');

// Some tests compile packages or whole catalogues, or start processes: seconds each on a busy machine.
export default defineConfig({
  plugins: mutant(),
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Many tests wait, for a process to start or a pause to end: two cores have time for three.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    setupFiles: ['test/support/set-seed.ts'],
    provide: { seed },
    sequence: { sequencer: LongestFirst },
    reporters: ['default', rulesReporter(path.join(import.meta.dirname, 'tested-rules.json'))],
    projects: [
      ...projectsOf('sqlite', { exclude: [...notOnSqlite, ...turns.postgres] }),
      ...projectsOf('postgres', {
        globalSetup: ['test/support/postgres.ts'],
        include: [...OF_BOTH, ...OF_EITHER],
        exclude: [...notOnPostgres, ...turns.sqlite],
      }),
    ],
  },
});
