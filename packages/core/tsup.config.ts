import { rmSync } from 'node:fs';
import { defineConfig, type Options } from 'tsup';
import manifest from './package.json' with { type: 'json' };

const shared: Options = { format: 'esm', target: 'es2022', dts: false, sourcemap: true };

// Once for both, which are built at the same time.
rmSync('dist', { recursive: true, force: true });

export default defineConfig([
  {
    ...shared,
    entry: [
      'src/index.ts',
      'src/tokens.ts',
      'src/load-ky.ts',
      'src/load-ky.node.ts',
      'src/settings.ts',
      'src/settings.page.ts',
    ],
    define: { VERSION: JSON.stringify(manifest.version) },
    // Chosen by package.json's `imports` where the package is used.
    external: ['#load-ky', '#settings'],
  },
  // Apart, so that the client shares nothing with the rules of inputs, which are several times its size.
  { ...shared, entry: ['src/validate.ts'], splitting: false },
]);
