import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Each file starts the service and an example: seconds on a busy machine.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 300_000,
    server: { deps: { external: [/\/packages\/.*\/dist\//] } },
  },
});
