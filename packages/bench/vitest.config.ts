import { defineConfig } from 'vitest/config';

// It starts every program of the bench, one after the other.
export default defineConfig({ test: { testTimeout: 300_000 } });
