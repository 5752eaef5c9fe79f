import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { takeTemporaryFolder } from '../../scripts/temporary-folder.ts';

takeTemporaryFolder();

export default defineConfig({
  // Test timeout in milliseconds. Some tests compile programs, which takes seconds on a busy machine.
  test: {
    setupFiles: ['../../scripts/folder-of-test-file.ts'],
    testTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
  },
  define: { VERSION: '"1.2.3"' },
  resolve: {
    alias: {
      '#load-ky': fileURLToPath(new URL('src/load-ky.node.ts', import.meta.url)),
      '#settings': fileURLToPath(new URL('src/settings.ts', import.meta.url)),
    },
  },
});
