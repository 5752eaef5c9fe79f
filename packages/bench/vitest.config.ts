import { defineConfig } from 'vitest/config';
import { takeTemporaryFolder } from '../../scripts/temporary-folder.ts';

takeTemporaryFolder();

// The long timeout is for bench.ci.test.ts, which starts every program of the benchmark sequentially.
export default defineConfig({
  test: { setupFiles: ['../../scripts/folder-of-test-file.ts'], testTimeout: 300_000 },
});
