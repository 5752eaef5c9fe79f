import { configDefaults, defineConfig } from 'vitest/config';

const CLIENTS = 'test/clients/**/*.test.ts';

export default defineConfig({
  test: {
    // Every file starts its own sandbox; the modules may be shared.
    isolate: false,
    projects: [
      { extends: true, test: { name: 'sandbox', exclude: [...configDefaults.exclude, CLIENTS] } },
      {
        extends: true,
        test: {
          name: 'clients',
          testTimeout: 60_000,
          include: [CLIENTS],
          globalSetup: ['test/clients/support/stage.ts'],
        },
      },
    ],
  },
});
