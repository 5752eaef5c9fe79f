import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { rulesReporter } from '../server/test/support/rules-reporter.ts';

const inBrowser = {
  globalSetup: ['test/support/global-setup.ts'],
  setupFiles: ['test/support/need-browser.ts'],
  testTimeout: 60_000,
  // One browser serves them all: what runs at once shares its cores.
  maxWorkers: 2,
};

export default defineConfig({
  test: {
    reporters: ['default', rulesReporter(path.join(import.meta.dirname, 'tested-rules.json'))],
    projects: [
      { test: { name: 'beside', include: ['src/**/*.test.ts', 'build/**/*.test.ts'] } },
      { test: { ...inBrowser, name: 'browser', include: ['test/**/*.browser{,.ci}.test.ts'] } },
      // Times by the clock, so nothing else may run: `npm run test:ci` has a step of its own for them.
      { test: { ...inBrowser, name: 'quiet', include: ['test/**/*.quiet.test.ts'] } },
    ],
  },
});
