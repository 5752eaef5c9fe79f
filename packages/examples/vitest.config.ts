import { defineConfig } from 'vitest/config';
import { takeTemporaryFolder } from '../../scripts/temporary-folder.js';

takeTemporaryFolder();

export default defineConfig({
  test: {
    setupFiles: ['../../scripts/folder-of-test-file.ts'],
    // Runs the test files one by one, because each starts the service and an example, which needs much CPU time.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 300_000,
    server: { deps: { external: [/\/packages\/.*\/dist\//] } },
  },
});
