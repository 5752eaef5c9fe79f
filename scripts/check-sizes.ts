import { readdirSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

// What a page loads of the clients, compressed: what they weigh is part of what they promise.

const PACKAGES = path.join(import.meta.dirname, '../packages');
const CONNECTORS = readdirSync(path.join(PACKAGES, 'connectors'));
const ONE = ['calendar'];

interface Bundle {
  readonly connectors: readonly string[];
  readonly external?: readonly string[];
  /** Bytes. */
  readonly most: number;
}

const BUNDLES: Readonly<Record<string, Bundle>> = {
  'core and one connector, beside ky': { connectors: ONE, external: ['ky'], most: 3900 },
  'core and all connectors, beside ky': { connectors: CONNECTORS, external: ['ky'], most: 9000 },
  'core, one connector and ky': { connectors: ONE, most: 13_000 },
};

async function sizeOf({ connectors, external = [] }: Bundle): Promise<number> {
  const lines = connectors.map((id) => `export { ${id} } from './connectors/${id}/dist/index.js';`);
  const { outputFiles } = await build({
    stdin: {
      contents: ["export { createClient } from './core/dist/index.js';", ...lines].join('\n'),
      resolveDir: PACKAGES,
    },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    external: [...external],
    write: false,
  });
  return outputFiles.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0);
}

for (const [name, bundle] of Object.entries(BUNDLES)) {
  const size = await sizeOf(bundle);
  console.log(`${name}: ${size.toLocaleString('en')} bytes of ${bundle.most.toLocaleString('en')}`);
  if (size <= bundle.most) continue;
  console.error(`${name} is larger than it may be: ${size} bytes, and not ${bundle.most}.`);
  process.exitCode = 1;
}
