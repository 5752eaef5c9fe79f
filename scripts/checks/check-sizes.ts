import { readdirSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';

// Checks the compressed size of the client in a browser page, because the product promises a client of a few kB.

const PACKAGES = path.join(import.meta.dirname, '../../packages');
const CONNECTORS = readdirSync(path.join(PACKAGES, 'connectors'));
const ONE = ['calendar'];

interface Bundle {
  readonly connectors: readonly string[];
  readonly external?: readonly string[];
  /** Maximum size of the bundle in bytes after gzip. */
  readonly most: number;
}

const BUNDLES: Readonly<Record<string, Bundle>> = {
  'core and one connector, without ky': { connectors: ONE, external: ['ky'], most: 5000 },
  // Size limit in bytes with room for new connectors, so that the author of a connector need not raise it.
  'core and all connectors, without ky': { connectors: CONNECTORS, external: ['ky'], most: 6600 },
  'core, one connector and ky': { connectors: ONE, most: 13_500 },
};

/**
 * Returns the names of the bundle's entry file and of all files that it imports statically, directly or through other
 * files.
 */
function loadedAtFirst({ outputs }: Metafile): Set<string> {
  const loaded = new Set(Object.keys(outputs).filter((name) => outputs[name]?.entryPoint === '<stdin>'));
  for (const name of loaded)
    for (const { path: imported, kind, external } of outputs[name]?.imports ?? [])
      if (kind === 'import-statement' && !external) loaded.add(imported);
  return loaded;
}

/** Returns the gzipped bytes that a page loads before its first call to the service. Excludes dynamic imports. */
async function sizeOf({ connectors, external = [] }: Bundle): Promise<number> {
  const lines = connectors.map((id) => `export { ${id} } from './connectors/${id}/dist/index.js';`);
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: ["export { createClient } from './connectors/calendar/dist/index.js';", ...lines].join('\n'),
      resolveDir: PACKAGES,
    },
    bundle: true,
    splitting: true,
    outdir: PACKAGES,
    metafile: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    // Ignores the tsconfig files of the packages, because those files resolve imports to sources, and a page's bundler
    // does not read them.
    tsconfigRaw: {},
    external: [...external],
    write: false,
  });
  const loaded = loadedAtFirst(metafile);
  const files = outputFiles.filter((file) => loaded.has(path.relative('.', file.path)));
  return files.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0);
}

for (const [name, bundle] of Object.entries(BUNDLES)) {
  const size = await sizeOf(bundle);
  console.log(`${name}: ${size.toLocaleString('en')} bytes of ${bundle.most.toLocaleString('en')}`);
  if (size <= bundle.most) continue;
  console.error(`${name} has ${size} bytes, but the limit is ${bundle.most}. Make it smaller.`);
  process.exitCode = 1;
}
