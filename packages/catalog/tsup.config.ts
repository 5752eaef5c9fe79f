import { cpSync, rmSync } from 'node:fs';
import { defineConfig } from 'tsup';
import { writeBuiltIn } from './src/load/write-built-in.js';

export default defineConfig({
  entry: ['src/index.ts', 'src/rules.ts', 'src/closest-name.ts', 'src/parse-json.ts', 'src/dialects.ts'],
  format: 'esm',
  target: 'node22',
  dts: false,
  sourcemap: true,
  esbuildOptions: (options) => {
    options.sourcesContent = false;
  },
  clean: true,
  onSuccess: async () => {
    rmSync('schemas', { recursive: true, force: true });
    const isOfUse = (file: string) => !file.endsWith('released.json');
    cpSync('../../schemas', 'schemas', { recursive: true, filter: isOfUse });
    writeBuiltIn();
  },
});
