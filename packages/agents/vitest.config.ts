import { defineConfig } from 'vitest/config';
import { takeTemporaryFolder } from '../../scripts/temporary-folder.js';

takeTemporaryFolder();

export default defineConfig({
  test: {
    isolate: false,
    setupFiles: ['../../scripts/folder-of-test-file.ts'],
    globalSetup: 'test/support/service.ts',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
