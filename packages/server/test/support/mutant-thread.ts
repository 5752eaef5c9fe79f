import { registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { readMutant, SOURCE } from './mutant.ts';

// The thread of SQLite loads its files by itself: `scripts/mutants.ts` has every process import this, and so each thread.
const fault = readMutant();
const mutated = fault && pathToFileURL(path.join(SOURCE, fault.file)).href;

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (fault === undefined || url !== mutated) return loaded;
    return { ...loaded, source: fault.applyTo(String(loaded.source)) };
  },
});
