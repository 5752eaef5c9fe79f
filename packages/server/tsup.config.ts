import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig, type Options } from 'tsup';
import { compileRequests } from './build/compile-requests.js';

const COMPILED = /\/compiled-requests\.js$/;

/** Modules that every start needs. Two files load in a quarter of the time of a thousand. */
const WITH_PROGRAM = [
  /^@fastify\/cookie$/,
  /^fastify$/,
  /^ipaddr\.js$/,
  /^kysely(\/|$)/,
  /^lru-cache$/,
  /^oauth4webapi$/,
  /^pino$/,
  /^undici(\/|$)/,
];

/** Built dashboard, which is published with the service. */
const DASHBOARD = '../dashboard/dist';

const LAZY_UNDICI = path.resolve('build/lazy-undici.cjs');

/** Loads undici with the first request that it sends. */
const lazyUndici: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'lazy undici',
  setup: (build) => {
    build.onResolve({ filter: /^undici$/ }, ({ importer }) =>
      importer === LAZY_UNDICI ? undefined : { path: LAZY_UNDICI },
    );
  },
};

/** One letter beyond ASCII doubles the memory of the whole text that it stands in. */
function checkLetters(): void {
  const wide = globSync('dist/*.js').filter((file) => readFileSync(file).some((byte) => byte > 0x7f));
  if (wide.length > 0) throw new Error(`There are letters beyond ASCII in ${wide.join(', ')}.`);
}

rmSync('dist', { recursive: true, force: true });
export default defineConfig({
  // Flat, so that whatever opens a database finds the thread of SQLite beside itself.
  entry: {
    main: 'src/main.ts',
    index: 'src/index.ts',
    'connect-sandbox': 'src/start/connect-sandbox.ts',
    'sqlite-worker': 'src/storage/sqlite-worker.ts',
  },
  format: 'esm',
  target: 'node22',
  dts: false,
  sourcemap: true,
  noExternal: WITH_PROGRAM,
  external: [COMPILED],
  esbuildPlugins: [lazyUndici],
  // Names stay, for those who read where a fault happened.
  esbuildOptions: (options) => {
    options.minifyWhitespace = true;
    // Licences have letters of all kinds: they get a file of their own.
    options.charset = 'ascii';
    options.legalComments = 'external';
  },
  banner: {
    js: "import { createRequire as requireFor } from 'node:module';\nconst require = requireFor(import.meta.url);",
  },
  onSuccess: async () => {
    if (existsSync(DASHBOARD)) cpSync(DASHBOARD, 'dist/dashboard', { recursive: true });
    writeFileSync('dist/compiled-requests.js', 'export const compiledRequests = {};\n');
    await compileRequests();
    checkLetters();
  },
});
