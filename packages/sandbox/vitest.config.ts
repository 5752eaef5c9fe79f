import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Every file starts its own sandbox; the modules may be shared.
    isolate: false,
  },
});
