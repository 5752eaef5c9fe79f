#!/usr/bin/env node
import { bringSandbox, npxWithoutSandbox } from './bring-sandbox.js';
import { holdTick } from './hold-tick.js';

holdTick();

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

// An older one cannot load what follows, and would say so in words of its own.
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `svc-server needs Node.js 22.18 or later, and this is ${process.versions.node}; install a newer one.`,
  );
  process.exit(1);
}

const args = process.argv.slice(2);
const npm = npxWithoutSandbox(args, process.env);
if (npm) await bringSandbox(npm, args);
else {
  // Whatever is written from here on is for the service alone: the database, its journal, the key.
  process.umask(0o077);
  const { keepCompiled } = await import('./keep-compiled.js');
  keepCompiled(args, process.env);
  await import('./program.js');
}
