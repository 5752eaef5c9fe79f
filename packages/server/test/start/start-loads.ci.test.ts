import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../support/processes/new-folder.js';
import { newSettings, runService, startProcess } from '../support/processes/service-process.js';

/**
 * Preloaded script that writes the names of all loaded Node.js modules and packages to a file when the process exits.
 */
const NOTE = `const loaded = () => ({
  node: process.moduleLoadList.flatMap((name) => /^NativeModule (.+)/.exec(name)?.[1] ?? []),
  packages: Object.keys(process.getBuiltinModule('module')._cache),
});
if (process.getBuiltinModule('worker_threads').isMainThread) process.on('exit', () => process.getBuiltinModule('fs').writeFileSync(process.env.LOADED, JSON.stringify(loaded())));`;

const PACKAGE = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//;

/** Creates settings of a process that records what it loads, and a function that reads the record. */
async function noteLoaded() {
  const folder = newFolder();
  const [preload, loaded] = [path.join(folder, 'note.cjs'), path.join(folder, 'loaded.json')];
  writeFileSync(preload, NOTE);
  const settings = await newSettings({ env: { NODE_OPTIONS: `--require=${preload}`, LOADED: loaded } });
  const { DATABASE_URL: _, ...env } = settings.env ?? {};
  return { settings: { ...settings, env }, read: () => JSON.parse(readFileSync(loaded, 'utf8')) };
}

// Unneeded modules cost milliseconds at each start, and megabytes of memory.
test('a start loads no schema compiler, no other database driver and no bundled HTTP client', async () => {
  const { settings, read } = await noteLoaded();
  const { signal, ended } = await startProcess(settings);
  signal('SIGTERM');
  await ended;
  const { node, packages } = read();
  expect(node).toContain('http');
  expect(node).not.toContain('internal/deps/undici/undici');
  const names = packages.flatMap((file: string) => PACKAGE.exec(file)?.[1] ?? []);
  // Argon2 is allowed, because the first start hashes the operator's password.
  const others = names.filter((name: string) => !name.startsWith('@node-rs/argon2'));
  expect([...new Set(others)]).toEqual(['better-sqlite3']);
});

test('a start with an invalid setting loads no server', async () => {
  const { settings, read } = await noteLoaded();
  const { ended } = runService({ ...settings, env: { ...settings.env, SVC_PORT: '99999' } });
  const { code, stderr } = await ended;
  expect([code, stderr]).toEqual([1, expect.stringContaining('SVC_PORT')]);
  expect(read().node).not.toContain('http');
});
