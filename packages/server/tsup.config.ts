import { defineConfig } from 'tsup';

export default defineConfig({
  // Flat, so that each finds the thread of SQLite beside itself.
  entry: { index: 'src/index.ts', main: 'src/main.ts', 'sqlite-worker': 'src/storage/sqlite-worker.ts' },
  format: 'esm',
  target: 'node22',
  dts: false,
  sourcemap: true,
  clean: true,
});
