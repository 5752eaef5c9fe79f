import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { readManifests } from '../workspace.ts';

// Checks that the tests of every published package also pass on the oldest supported Node.js version (rule S3 in
// security-rules.md).

const ROOT = path.join(import.meta.dirname, '../..');
const FOLDER = path.join(ROOT, 'scripts/oldest-node');
const NODE = path.join(FOLDER, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
const NPM_CI = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/** Runs the tests of the package in a folder with the oldest Node.js, and returns whether they pass. */
function passes(folder: string): boolean {
  const vitest = path.join(
    path.dirname(createRequire(path.join(folder, 'package.json')).resolve('vitest/package.json')),
    'vitest.mjs',
  );
  // Removes `SVC_TEST_FULL`, because the few repetitions of a quick run suffice to find differences between Node.js
  // versions.
  const { SVC_TEST_FULL: _, ...own } = process.env;
  const env = { ...own, PATH: path.dirname(NODE) + path.delimiter + own['PATH'] };
  const { status } = spawnSync(NODE, [vitest, 'run', '--passWithNoTests'], {
    cwd: folder,
    env,
    stdio: 'inherit',
  });
  return status === 0;
}

function checkAll(): void {
  const version = spawnSync(NODE, ['--version'], { encoding: 'utf8' }).stdout.trim();
  for (const [file, manifest] of readManifests()) {
    if (manifest.private || !manifest.scripts?.['test']) continue;
    const isGood = passes(path.join(ROOT, path.dirname(file)));
    if (!isGood) process.exitCode = 1;
    console.log(
      `S3${isGood ? '' : ' broken:'} the tests of ${manifest.name} ${isGood ? 'pass' : 'fail'} on Node ${version}`,
    );
  }
}

const { status } = spawnSync('npm', NPM_CI, { cwd: FOLDER, stdio: 'inherit' });
if (status !== 0) throw new Error('The oldest Node could not be installed. The lines above say why.');
if (existsSync(NODE)) checkAll();
else console.log(`S3 skipped: scripts/oldest-node has no Node for ${process.platform}-${process.arch}`);
