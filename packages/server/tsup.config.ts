import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig, type Options } from 'tsup';
import { compileRequests } from './build/compile-requests.js';
import { writeNotices } from './build/write-notices.js';

const METAFILE = 'dist/metafile-esm.json';
const COMPILED = /\/compiled-requests\.js$/;

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
  if (wide.length > 0)
    throw new Error(
      `These built files contain characters beyond ASCII: ${wide.join(', ')}. Write the characters as escapes in the sources.`,
    );
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
  // Dev dependencies are bundled: modules that every start needs. A start that loads them one by one takes 1.5 times as
  // long (430 and 680 ms). Dependencies stay outside, so an override of theirs takes effect.
  external: [COMPILED],
  metafile: true,
  esbuildPlugins: [lazyUndici],
  // Names stay, for those who read where a fault happened.
  esbuildOptions: (options) => {
    options.minifyWhitespace = true;
    options.charset = 'ascii';
    // The notices contain the licences.
    options.legalComments = 'none';
    options.sourcesContent = false;
  },
  banner: {
    js: "import { createRequire as requireFor } from 'node:module';\nconst require = requireFor(import.meta.url);",
  },
  onSuccess: async () => {
    if (existsSync(DASHBOARD)) cpSync(DASHBOARD, 'dist/dashboard', { recursive: true });
    writeFileSync('dist/compiled-requests.js', 'export const compiledRequests = {};\n');
    await compileRequests();
    checkLetters();
    writeNotices(METAFILE);
    rmSync(METAFILE);
  },
});
