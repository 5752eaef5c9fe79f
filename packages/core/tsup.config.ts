import { defineConfig } from 'tsup';

export default defineConfig({
  entry: ['src/index.ts', 'src/load-ky.ts', 'src/load-ky.node.ts'],
  format: 'esm',
  target: 'es2022',
  dts: false,
  sourcemap: true,
  clean: true,
  // Chosen by package.json's `imports` where the package is used.
  external: ['#load-ky'],
});
