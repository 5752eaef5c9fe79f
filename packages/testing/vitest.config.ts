import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Some tests start the service, or another process: seconds on a busy machine. What all of them load is loaded once.
    isolate: false,
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Packages of this repository are as built as any other.
    server: { deps: { external: [/\/packages\/.*\/dist\//] } },
  },
});
