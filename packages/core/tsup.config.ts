import { defineConfig } from 'tsup';
import manifest from './package.json' with { type: 'json' };

export default defineConfig({
  entry: ['src/index.ts', 'src/tokens.ts', 'src/load-ky.ts', 'src/load-ky.node.ts'],
  format: 'esm',
  target: 'es2022',
  dts: false,
  sourcemap: true,
  clean: true,
  define: { VERSION: JSON.stringify(manifest.version) },
  // Chosen by package.json's `imports` where the package is used.
  external: ['#load-ky'],
});
