import assert from 'node:assert/strict';
import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Registry } from './registry.ts';
import type { Tools } from './tools.ts';
import { newFolder, run, writeFiles } from './workplace.ts';

const MEGABYTE = 1_000_000;
/** Maximum size of the installed service with its dependencies, in bytes: 75 MB. */
const LIMIT = 75 * MEGABYTE;
const LARGEST = 3;

const inMegabytes = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(1)} MB`;

/** Adds up the sizes of the files of each package in `node_modules`, largest package first. */
function sizesOf(folder: string): readonly (readonly [name: string, bytes: number])[] {
  const sizes = new Map<string, number>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const name = /^(@[^/]+\/)?[^/]+/.exec(path.relative(folder, file))?.[0] ?? '';
    sizes.set(name, (sizes.get(name) ?? 0) + lstatSync(file).size);
  }
  return [...sizes].sort(([, one], [, other]) => other - one);
}

/** Installs the service into an empty folder, and checks the total size of the installed files. */
export async function checkInstallSize({ find }: Tools, { env }: Registry): Promise<string> {
  const cwd = newFolder('size');
  const npm = find('npm/bin/npm-cli.js') ?? 'npm';
  writeFiles(cwd, { 'package.json': { private: true } });
  await run(process.execPath, [npm, 'install', '--no-audit', '--no-fund', '@svc/server'], { cwd, env });
  const sizes = sizesOf(path.join(cwd, 'node_modules'));
  const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
  const largest = sizes.slice(0, LARGEST).map(([name, bytes]) => `${name} ${inMegabytes(bytes)}`);
  const summary = `${inMegabytes(total)}, of which ${largest.join(', ')}`;
  assert.ok(total <= LIMIT, `The installed service has more than ${inMegabytes(LIMIT)}: ${summary}`);
  return summary;
}
