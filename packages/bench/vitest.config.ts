import { defineConfig } from 'vitest/config';

// The long timeout is for bench.ci.test.ts, which starts every program of the benchmark sequentially.
export default defineConfig({ test: { testTimeout: 300_000 } });
