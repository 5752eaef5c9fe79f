#!/usr/bin/env node
import { keepCompiled } from './keep-compiled.js';

// Whatever is written from here on is for the service alone: the database, its journal, the key.
process.umask(0o077);
keepCompiled(process.argv.slice(2), process.env);
await import('./program.js');
