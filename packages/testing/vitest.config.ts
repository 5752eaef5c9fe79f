import { defineConfig } from 'vitest/config';
import { takeTemporaryFolder } from '../../scripts/temporary-folder.js';

takeTemporaryFolder();

export default defineConfig({
  test: {
    setupFiles: ['../../scripts/folder-of-test-file.ts'],
    // Loads modules once for all files and sets long timeouts, because some tests start the service or a process.
    // That takes seconds on a busy machine.
    isolate: false,
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Loads the built packages of this repository without transforming them, like installed packages.
    server: { deps: { external: [/\/packages\/.*\/dist\//] } },
  },
});
