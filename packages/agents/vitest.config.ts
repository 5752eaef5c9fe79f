import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    isolate: false,
    globalSetup: 'test/support/service.ts',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
