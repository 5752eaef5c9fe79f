import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { takeTemporaryFolder } from '../../scripts/temporary-folder.ts';
import { rulesReporter } from '../server/test/support/runner/rules-reporter.ts';

const FOLDER = '../../scripts/folder-of-test-file.ts';

const inBrowser = {
  globalSetup: ['test/support/global-setup.ts'],
  setupFiles: [FOLDER, 'test/support/need-browser.ts'],
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 20_000 } },
  // All tests share one browser, so more workers would only compete for CPU cores.
  maxWorkers: 2,
};

takeTemporaryFolder();

export default defineConfig({
  test: {
    reporters: ['default', rulesReporter(path.join(import.meta.dirname, 'tested-rules.json'))],
    projects: [
      { test: { name: 'unit', setupFiles: [FOLDER], include: ['src/**/*.test.ts', 'build/**/*.test.ts'] } },
      { test: { ...inBrowser, name: 'browser', include: ['test/**/*.browser{,.ci}.test.ts'] } },
      // Load times are measured alone, in a separate step of `npm run test:ci`.
      { test: { ...inBrowser, name: 'quiet', include: ['test/**/*.quiet.test.ts'] } },
    ],
  },
});
