import { expect, onTestFinished, test, vi } from 'vitest';
import config from '../../../vitest.config.js';

const FAULT = JSON.stringify({ file: 'errors.ts', start: 0, original: '', replacement: '' });

test.each([
  { title: 'a mutation test compiles every module again', mutant: FAULT, isCached: false },
  { title: 'all other tests reuse compiled modules', mutant: undefined, isCached: true },
])('$title in every mode', ({ mutant, isCached }) => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('SVC_MUTANT', mutant);
  for (const mode of ['short', 'ci', 'quiet', 'test']) {
    const { test: settings } = config({ mode, command: 'serve' });
    expect(settings?.fsModuleCache).toBe(isCached);
  }
});
