import { configDefaults, defineConfig } from 'vitest/config';
import { takeTemporaryFolder } from '../../scripts/temporary-folder.ts';

const CI = '**/*.ci.test.ts';
const CLIENTS = 'test/clients/**/*.ci.test.ts';

takeTemporaryFolder();

// `vitest --mode short` (`npm test`) leaves out the tests of CI. The option `--exclude` would have no effect, because
// the projects have `exclude`.
export default defineConfig(({ mode }) => {
  const exclude = [...configDefaults.exclude, ...(mode === 'short' ? [CI] : [])];
  return {
    test: {
      setupFiles: ['../../scripts/folder-of-test-file.ts'],
      // Test files share modules for speed. Sharing is safe because every file starts its own sandbox.
      isolate: false,
      testTimeout: 60_000,
      hookTimeout: 60_000,
      expect: { poll: { timeout: 20_000 } },
      projects: [
        { extends: true, test: { name: 'sandbox', exclude: [...exclude, CLIENTS] } },
        {
          extends: true,
          test: {
            name: 'clients',
            include: [CLIENTS],
            exclude,
            globalSetup: ['test/clients/support/stage.ts'],
          },
        },
      ],
    },
  };
});
