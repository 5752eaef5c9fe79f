import { writeFileSync } from 'node:fs';
import { defineConfig } from 'tsup';
import { describe } from './src/controls.js';
import { UPSTREAMS_FILE } from './src/start-sandbox.js';
import { UPSTREAMS } from './src/upstreams/upstreams.js';

export default defineConfig({
  entry: ['src/index.ts', 'src/main.ts'],
  format: 'esm',
  target: 'node22',
  dts: false,
  sourcemap: true,
  esbuildOptions: (options) => {
    options.sourcesContent = false;
  },
  clean: true,
  onSuccess: async () => {
    const upstreams = UPSTREAMS.map((upstream) => describe(upstream, `/${upstream.id}`));
    writeFileSync(`dist/${UPSTREAMS_FILE}`, JSON.stringify(upstreams));
  },
});
