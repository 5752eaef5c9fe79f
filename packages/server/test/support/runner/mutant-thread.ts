import { registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { applyFault, readFault, SOURCE } from './mutant.ts';

// Applies a mutation test's fault outside Vitest. `scripts/mutants/rule-tests.ts` imports this file into every process
// and thread, because the SQLite thread loads its files without Vitest.
const fault = readFault();
const mutated = fault && pathToFileURL(path.join(SOURCE, fault.file)).href;

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (fault === undefined || url !== mutated) return loaded;
    return { ...loaded, source: applyFault(String(loaded.source), fault) };
  },
});
