import { defineConfig } from 'vitest/config';

// bench.ci.test.ts starts every program of the bench, one after the other.
export default defineConfig({ test: { testTimeout: 300_000 } });
