import { registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { applyFault, readFault, SOURCE } from './mutant.ts';

// The SQLite thread loads its files without Vitest, so `scripts/rule-tests.ts` imports this into every process and thread.
const fault = readFault();
const mutated = fault && pathToFileURL(path.join(SOURCE, fault.file)).href;

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (fault === undefined || url !== mutated) return loaded;
    return { ...loaded, source: applyFault(String(loaded.source), fault) };
  },
});
