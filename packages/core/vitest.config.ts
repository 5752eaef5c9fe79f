import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    alias: { '#load-ky': fileURLToPath(new URL('src/load-ky.node.ts', import.meta.url)) },
  },
});
