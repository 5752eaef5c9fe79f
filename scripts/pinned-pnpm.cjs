// Brings the pnpm that the lock file names, and no other bytes: npm compares what it fetches with the hashes of the lock file.
// It runs on any Node from 18 on, before a single package is installed, so it is plain CommonJS.
'use strict';
const { spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');

const WINDOWS = process.platform === 'win32';

/** The entries of pnpm and of its binaries in pnpm-lock.yaml: `  pnpm@1.2.3:` and, a line further, their integrity. */
function readEntries(lockFile) {
  const entry =
    /^ {2}'?(pnpm|@pnpm\/exe\.[a-z0-9-]+)@([^':]+)'?:\n {4}resolution: \{integrity: (sha512-[^}]+)\}/gm;
  return [...fs.readFileSync(lockFile, 'utf8').matchAll(entry)].map(([, name, version, integrity]) => ({
    name,
    version,
    integrity,
  }));
}

/** A package-lock.json: npm takes nothing that has another hash, whatever its registry answers. */
function toPackageLock(entries, [pnpm]) {
  const platform = `@pnpm/exe.${process.platform}-${process.arch}`;
  const binaries = entries.filter(({ name }) => name === platform);
  const dependencies = { pnpm: pnpm.version };
  const optionalDependencies = Object.fromEntries(binaries.map(({ name, version }) => [name, version]));
  const packages = Object.fromEntries(
    [pnpm, ...binaries].map(({ name, version, integrity }) => [
      `node_modules/${name}`,
      { version, integrity, ...(name === 'pnpm' ? { optionalDependencies } : { optional: true }) },
    ]),
  );
  return {
    manifest: { name: 'pinned-pnpm', version: '0.0.0', private: true, dependencies },
    lock: {
      name: 'pinned-pnpm',
      version: '0.0.0',
      lockfileVersion: 3,
      requires: true,
      packages: { '': { dependencies }, ...packages },
    },
  };
}

function write(folder, name, value) {
  fs.writeFileSync(path.join(folder, name), JSON.stringify(value, null, 2));
}

/** Gives the path of the pnpm of that version; fetches it once. Throws where the hashes differ. */
function bringPnpm({ root, version }) {
  const entries = readEntries(path.join(root, 'pnpm-lock.yaml'));
  const own = entries.filter((entry) => entry.name === 'pnpm' && entry.version === version);
  if (own.length !== 1) throw new Error(`pnpm-lock.yaml has no hash of pnpm ${version}; no other is run.`);
  const { manifest, lock } = toPackageLock(entries, own);
  const hash = createHash('sha256').update(JSON.stringify(lock)).digest('hex').slice(0, 16);
  const folder = path.join(root, 'node_modules', '.cache', `pnpm-${version}-${hash}`);
  const pnpm = path.join(folder, 'node_modules', 'pnpm', 'bin', 'pnpm.mjs');
  const complete = path.join(folder, '.complete');
  if (fs.existsSync(complete)) return pnpm;
  fs.mkdirSync(folder, { recursive: true });
  write(folder, 'package.json', manifest);
  write(folder, 'package-lock.json', lock);
  const { status, error } = spawnSync(
    'npm',
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: folder,
      stdio: ['ignore', 2, 2],
      shell: WINDOWS,
    },
  );
  if (error || status !== 0)
    throw new Error(`pnpm ${version} could not be brought${error ? `: ${error.message}` : ''}.`);
  fs.writeFileSync(complete, '');
  return pnpm;
}

module.exports = { bringPnpm };
