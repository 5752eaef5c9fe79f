import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

// Rule S1: the bootstrap runs the pnpm of the lock file and no other, whatever a registry answers.

const VERSION = '1.2.3';
const PINNED = path.join(import.meta.dirname, 'pinned.cjs');
const BRING = `
  const { bringPnpm } = require(${JSON.stringify(PINNED)});
  try { console.log(bringPnpm({ root: process.cwd(), version: '${VERSION}' })); }
  catch (error) { console.error(error.message); process.exitCode = 1; }`;

const folder = mkdtempSync(path.join(tmpdir(), 'svc-pnpm-'));

/** A package that is called pnpm and prints a word. */
function pack(word: string): Buffer {
  const source = path.join(folder, word);
  mkdirSync(path.join(source, 'bin'), { recursive: true });
  writeFileSync(path.join(source, 'package.json'), JSON.stringify({ name: 'pnpm', version: VERSION }));
  writeFileSync(path.join(source, 'bin/pnpm.mjs'), `console.log('${word}');`);
  const { status } = spawnSync('npm', ['pack', '--ignore-scripts', '--loglevel=error'], { cwd: source });
  assert.equal(status, 0, 'npm pack failed');
  return readFileSync(path.join(source, `pnpm-${VERSION}.tgz`));
}

const integrityOf = (bytes: Buffer) => `sha512-${createHash('sha512').update(bytes).digest('base64')}`;

/** Says of what it serves that it is what was asked for, as a registry in wrong hands does. */
async function startRegistry(bytes: Buffer) {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    if (url.endsWith('.tgz')) return response.end(bytes);
    const tarball = `http://127.0.0.1:${(server.address() as AddressInfo).port}/pnpm.tgz`;
    const version = { name: 'pnpm', version: VERSION, dist: { tarball, integrity: integrityOf(bytes) } };
    response.setHeader('content-type', 'application/json');
    return response.end(
      JSON.stringify({ name: 'pnpm', 'dist-tags': { latest: VERSION }, versions: { [VERSION]: version } }),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}

/** Brings pnpm in a clone with that line in its lock file. */
async function bring(clone: string, registry: string) {
  const own = { registry, cache: path.join(clone, 'cache'), fetch_retries: '0', update_notifier: 'false' };
  const settings = Object.entries(own).map(([name, value]) => [`npm_config_${name}`, value]);
  const env = { ...process.env, ...Object.fromEntries(settings) };
  const child = spawn(process.execPath, ['-e', BRING], { cwd: clone, env });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = await once(child, 'close');
  return { code, stdout: stdout.trim(), stderr };
}

function newClone(name: string, lock: string): string {
  const clone = path.join(folder, `clone-${name}`);
  mkdirSync(clone);
  writeFileSync(path.join(clone, 'pnpm-lock.yaml'), lock);
  return clone;
}

const [locked, other] = [pack('locked'), pack('other')];
const lock = `packages:\n\n  pnpm@${VERSION}:\n    resolution: {integrity: ${integrityOf(locked)}}\n`;
const registry = await startRegistry(locked);
const lying = await startRegistry(other);
try {
  const clone = newClone('right', lock);
  const first = await bring(clone, registry.url);
  assert.equal(first.code, 0, first.stderr);
  assert.equal(spawnSync(process.execPath, [first.stdout], { encoding: 'utf8' }).stdout, 'locked\n');
  const count = registry.asked.length;
  assert.ok(count > 0);
  assert.deepEqual(await bring(clone, registry.url), { code: 0, stdout: first.stdout, stderr: '' });
  assert.equal(registry.asked.length, count, 'a second run must not fetch again');

  const refused = await bring(newClone('lying', lock), lying.url);
  assert.equal(refused.code, 1, 'other bytes must be refused');
  assert.match(refused.stderr, /EINTEGRITY/);
  assert.match(refused.stderr, /pnpm 1\.2\.3 could not be brought\./);

  const unlocked = await bring(newClone('unlocked', 'packages:\n'), lying.url);
  assert.match(unlocked.stderr, /^pnpm-lock\.yaml has no hash of pnpm 1\.2\.3; no other is run\.$/m);
} finally {
  for (const { server } of [registry, lying]) server.close();
  rmSync(folder, { recursive: true });
}
console.log('S1: the bootstrap takes the pnpm of the lock file, fetches it once, and refuses other bytes');
