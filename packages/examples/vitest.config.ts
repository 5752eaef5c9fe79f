import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Runs the test files one by one, because each starts the service and an example, which needs much CPU time.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 300_000,
    server: { deps: { external: [/\/packages\/.*\/dist\//] } },
  },
});
