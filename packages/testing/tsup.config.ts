import { defineConfig } from 'tsup';

export default defineConfig({
  entry: ['src/index.ts', 'src/service.ts'],
  format: 'esm',
  target: 'node22',
  dts: false,
  sourcemap: true,
  clean: true,
});
