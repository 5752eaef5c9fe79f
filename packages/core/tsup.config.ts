import { rmSync } from 'node:fs';
import path from 'node:path';
import { defineConfig, type Options } from 'tsup';
import manifest from './package.json' with { type: 'json' };

/**
 * Bundles of this package, one for each kind of runtime, with the modules that the bundle replaces. `exports` in
 * package.json selects the bundle.
 */
const RUNTIMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  index: { '#load-ky': 'load-ky.ts', '#settings': 'settings.ts' },
  'index.node': { '#load-ky': 'load-ky.node.ts', '#settings': 'settings.ts' },
  'index.page': { '#load-ky': 'load-ky.ts', '#settings': 'settings.page.ts' },
};

const shared: Options = { format: 'esm', target: 'es2022', dts: false, sourcemap: true, splitting: false };
const withoutSources: NonNullable<Options['esbuildOptions']> = (options) => {
  options.sourcesContent = false;
};

// Deletes dist/ once for all builds, because the builds run at the same time.
rmSync('dist', { recursive: true, force: true });

export default defineConfig([
  ...Object.entries(RUNTIMES).map(
    ([name, files]): Options => ({
      ...shared,
      entry: { [name]: 'src/index.ts' },
      // Page bundlers load this file with the first response that needs it.
      external: ['./parse-json.js'],
      define: { VERSION: JSON.stringify(manifest.version) },
      esbuildOptions(options, context) {
        withoutSources(options, context);
        options.alias = Object.fromEntries(
          Object.entries(files).map(([source, file]) => [source, path.resolve('src', file)]),
        );
      },
    }),
  ),
  {
    ...shared,
    entry: ['src/validate.ts', 'src/events.ts', 'src/parse-json.ts'],
    esbuildOptions: withoutSources,
  },
]);
