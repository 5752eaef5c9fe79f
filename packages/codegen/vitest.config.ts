import { defineConfig } from 'vitest/config';

// Some tests compile packages or whole catalogues, or start processes: seconds each on a busy machine. What they load is shared.
export default defineConfig({ test: { isolate: false, testTimeout: 60_000, hookTimeout: 60_000 } });
