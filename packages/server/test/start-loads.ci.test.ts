import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from './new-folder.js';
import { newSettings, runService, startProcess } from './service-process.js';

/** Loaded before the service: says at its end which of Node's own modules and which packages it loaded. */
const NOTE = `const loaded = () => ({
  node: process.moduleLoadList.flatMap((name) => /^NativeModule (.+)/.exec(name)?.[1] ?? []),
  packages: Object.keys(process.getBuiltinModule('module')._cache),
});
if (process.getBuiltinModule('worker_threads').isMainThread) process.on('exit', () => process.getBuiltinModule('fs').writeFileSync(process.env.LOADED, JSON.stringify(loaded())));`;

const PACKAGE = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//;

/** Settings of a process that notes what it loaded, and what reads the note when it has ended. */
async function noteLoaded() {
  const folder = newFolder();
  const [preload, loaded] = [path.join(folder, 'note.cjs'), path.join(folder, 'loaded.json')];
  writeFileSync(preload, NOTE);
  const settings = await newSettings({ env: { NODE_OPTIONS: `--require=${preload}`, LOADED: loaded } });
  const { DATABASE_URL: _, ...env } = settings.env ?? {};
  return { settings: { ...settings, env }, read: () => JSON.parse(readFileSync(loaded, 'utf8')) };
}

// Each of these costs every start milliseconds, and every service megabytes.
test('a start loads what it needs: no compiler of schemas, no driver of another database, no client of Node beside its own', async () => {
  const { settings, read } = await noteLoaded();
  const { signal, ended } = await startProcess(settings);
  signal('SIGTERM');
  await ended;
  const { node, packages } = read();
  expect(node).toContain('http');
  expect(node).not.toContain('internal/deps/undici/undici');
  const names = packages.flatMap((file: string) => PACKAGE.exec(file)?.[1] ?? []);
  // The first start of all hashes a password.
  const others = names.filter((name: string) => !name.startsWith('@node-rs/argon2'));
  expect([...new Set(others)]).toEqual(['better-sqlite3']);
});

test('a start that its settings have refused loads no service', async () => {
  const { settings, read } = await noteLoaded();
  const { ended } = runService({ ...settings, env: { ...settings.env, SVC_PORT: '99999' } });
  const { code, stderr } = await ended;
  expect([code, stderr]).toEqual([1, expect.stringContaining('SVC_PORT')]);
  expect(read().node).not.toContain('http');
});
