// Brings packages whose hashes are known, and no other bytes: npm compares what it fetches with the hashes that it is given.
// It runs on any Node from 18 on, before a single package is installed, so it is plain CommonJS.
'use strict';
const { spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');

const WINDOWS = process.platform === 'win32';
const NPM = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/** A package-lock.json, without addresses: npm takes them from the user's own settings, and hashes from here alone. */
function toLock(packages) {
  const [{ name, version }, ...parts] = packages;
  const optionalDependencies = Object.fromEntries(parts.map((part) => [part.name, part.version]));
  const entries = packages.map((each) => [
    `node_modules/${each.name}`,
    {
      version: each.version,
      integrity: each.integrity,
      ...(each.name === name ? { optionalDependencies } : { optional: true }),
    },
  ]);
  const root = { dependencies: { [name]: version } };
  return {
    lockfileVersion: 3,
    requires: true,
    packages: { '': root, ...Object.fromEntries(entries) },
  };
}

const write = (folder, name, value) =>
  fs.writeFileSync(path.join(folder, name), JSON.stringify(value, null, 2));

/** Gives the folder of the first package, which stands beside the parts of it that are the others; fetches them once. */
function bringPinned(root, packages) {
  const [{ name, version }] = packages;
  const lock = toLock(packages);
  const hash = createHash('sha256').update(JSON.stringify(lock)).digest('hex').slice(0, 16);
  const folder = path.join(root, 'node_modules', '.cache', `${name}-${version}-${hash}`);
  const brought = path.join(folder, 'node_modules', name);
  const complete = path.join(folder, '.complete');
  if (fs.existsSync(complete)) return brought;
  fs.mkdirSync(folder, { recursive: true });
  write(folder, 'package.json', { private: true, ...lock.packages[''] });
  write(folder, 'package-lock.json', lock);
  const { status, error } = spawnSync('npm', NPM, { cwd: folder, stdio: ['ignore', 2, 2], shell: WINDOWS });
  const reason = error ? `: ${error.message}` : '';
  if (error || status !== 0) throw new Error(`${name} ${version} could not be brought${reason}.`);
  fs.writeFileSync(complete, '');
  return brought;
}

/** The entries of pnpm and of its binaries in pnpm-lock.yaml: `  pnpm@1.2.3:` and, a line further, their integrity. */
function readLocked(lockFile) {
  const entry =
    /^ {2}'?(pnpm|@pnpm\/exe\.[a-z0-9-]+)@([^':]+)'?:\n {4}resolution: \{integrity: (sha512-[^}]+)\}/gm;
  return [...fs.readFileSync(lockFile, 'utf8').matchAll(entry)].map(([, name, version, integrity]) => ({
    name,
    version,
    integrity,
  }));
}

/** Gives the path of the pnpm of that version. Throws where the lock file has no hash of it, or another one. */
function bringPnpm({ root, version }) {
  const locked = readLocked(path.join(root, 'pnpm-lock.yaml'));
  const own = locked.find((entry) => entry.name === 'pnpm' && entry.version === version);
  if (own === undefined) throw new Error(`pnpm-lock.yaml has no hash of pnpm ${version}; no other is run.`);
  const platform = `@pnpm/exe.${process.platform}-${process.arch}`;
  const binaries = locked.filter(({ name }) => name === platform);
  return path.join(bringPinned(root, [own, ...binaries]), 'bin', 'pnpm.mjs');
}

module.exports = { bringPinned, bringPnpm };
