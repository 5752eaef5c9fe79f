import { defineConfig } from 'tsup';

export default defineConfig({
  entry: ['src/index.ts', 'src/service.ts'],
  format: 'esm',
  target: 'node22',
  dts: false,
  sourcemap: true,
  esbuildOptions: (options) => {
    options.sourcesContent = false;
  },
  clean: true,
});
