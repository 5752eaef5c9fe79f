#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { npxWithoutSandbox, restartWithSandbox } from './start/restart-with-sandbox.js';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

// An older Node.js cannot load the code below, and its own error message would not name the required version.
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `svc-server needs Node.js 22.18 or later, but this is ${process.versions.node}. Install a newer version.`,
  );
  process.exit(1);
}

const args = process.argv.slice(2);
// The same relative path works in src/ and in dist/, because both folders are directly inside the package.
const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const npm = npxWithoutSandbox(args, process.env);
if (npm) await restartWithSandbox(npm, args, manifest);
else {
  // Makes all files that the service writes readable only by its own user: the database, its journal and the key.
  process.umask(0o077);
  const { useCompileCache } = await import('./config/compile-cache.js');
  useCompileCache(args, process.env);
  const { runProgram } = await import('./start/program.js');
  await runProgram(args, manifest.version);
}
