import { defineConfig } from 'vitest/config';

// Some tests compile packages or whole catalogues, or start processes: seconds each on a busy machine.
export default defineConfig({
  test: { testTimeout: 60_000, hookTimeout: 60_000, setupFiles: ['test/support/fixed-seed.ts'] },
});
