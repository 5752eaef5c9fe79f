import { readdirSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';

// The compressed size of what a page loads: a client of a few kB is a promise of the product.

const PACKAGES = path.join(import.meta.dirname, '../packages');
const CONNECTORS = readdirSync(path.join(PACKAGES, 'connectors'));
const ONE = ['calendar'];

interface Bundle {
  readonly connectors: readonly string[];
  readonly external?: readonly string[];
  /** The most bytes, gzipped. */
  readonly most: number;
}

const BUNDLES: Readonly<Record<string, Bundle>> = {
  'core and one connector, beside ky': { connectors: ONE, external: ['ky'], most: 4500 },
  // Leaves room for new connectors, whose authors change no other file.
  'core and all connectors, beside ky': { connectors: CONNECTORS, external: ['ky'], most: 6600 },
  'core, one connector and ky': { connectors: ONE, most: 13_000 },
};

/** The names of the entry's output and of the outputs that it imports statically. */
function loadedAtFirst({ outputs }: Metafile): Set<string> {
  const loaded = new Set(Object.keys(outputs).filter((name) => outputs[name]?.entryPoint === '<stdin>'));
  for (const name of loaded)
    for (const { path: imported, kind, external } of outputs[name]?.imports ?? [])
      if (kind === 'import-statement' && !external) loaded.add(imported);
  return loaded;
}

/** The bytes that a page loads before its first call, without what is imported dynamically. */
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
    // The packages' own tsconfig files resolve to their sources. The bundler of a page does not read them.
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
  console.error(`${name} is larger than it may be: ${size} bytes, and not ${bundle.most}.`);
  process.exitCode = 1;
}
