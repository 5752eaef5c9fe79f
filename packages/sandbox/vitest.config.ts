import { configDefaults, defineConfig } from 'vitest/config';

const CLIENTS = 'test/clients/**/*.ci.test.ts';

export default defineConfig({
  test: {
    // Test files share modules for speed. Sharing is safe because every file starts its own sandbox.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    projects: [
      { extends: true, test: { name: 'sandbox', exclude: [...configDefaults.exclude, CLIENTS] } },
      {
        extends: true,
        test: {
          name: 'clients',
          include: [CLIENTS],
          globalSetup: ['test/clients/support/stage.ts'],
        },
      },
    ],
  },
});
