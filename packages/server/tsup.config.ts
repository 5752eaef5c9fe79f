import { writeFileSync } from 'node:fs';
import { defineConfig } from 'tsup';
import { compileRequests } from './build/compile-requests.js';

export default defineConfig({
  // Flat, so that each finds the thread of SQLite beside itself.
  entry: { index: 'src/index.ts', main: 'src/main.ts', 'sqlite-worker': 'src/storage/sqlite-worker.ts' },
  format: 'esm',
  target: 'node22',
  dts: false,
  sourcemap: true,
  clean: true,
  external: [/\/compiled-requests\.js$/],
  onSuccess: async () => {
    writeFileSync('dist/compiled-requests.js', 'export const compiledRequests = {};\n');
    await compileRequests();
  },
});
