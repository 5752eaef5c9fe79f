import { defineConfig } from 'vitest/config';
import { takeTemporaryFolder } from '../../scripts/temporary-folder.js';

takeTemporaryFolder();

// Long timeouts, because some tests compile packages or start processes, which takes seconds on a busy machine. Test
// files share loaded modules to save time.
export default defineConfig({
  test: {
    setupFiles: ['../../scripts/folder-of-test-file.ts'],
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
