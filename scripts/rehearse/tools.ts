import { cpSync, existsSync } from 'node:fs';
import path from 'node:path';
import { arch } from 'node:process';
import { newFolder, run } from './workplace.ts';

const HERE = path.join(import.meta.dirname, 'tools');
const LOCKED = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'];
const isArm = arch === 'arm64';

/** Programs that the release rehearsal uses, by name. Undefined for a program that does not exist for this machine. */
export interface Tools {
  readonly folder: string;
  /** Returns the path of a file in an installed package. Undefined if the file does not exist. */
  readonly find: (file: string) => string | undefined;
  readonly node22: string | undefined;
  readonly bun: string | undefined;
  readonly deno: string | undefined;
  readonly workerd: string | undefined;
}

/** Installs the tools of the release rehearsal from their own lock file. */
export async function bringTools(): Promise<Tools> {
  const folder = newFolder('tools');
  for (const file of LOCKED) cpSync(path.join(HERE, file), path.join(folder, file));
  await run('pnpm', ['install', '--frozen-lockfile', '--prefer-offline'], { cwd: folder });
  const find = (file: string) => {
    const installed = path.join(folder, 'node_modules', file);
    return existsSync(installed) ? installed : undefined;
  };
  return {
    folder,
    find,
    node22: find(isArm ? 'node-22-arm64/bin/node' : 'node-22-x64/bin/node'),
    bun: find(isArm ? '@oven/bun-linux-aarch64/bin/bun' : '@oven/bun-linux-x64/bin/bun'),
    deno: find('@deno/linux-x64-glibc/deno'),
    workerd: find(
      isArm ? '@cloudflare/workerd-linux-arm64/bin/workerd' : '@cloudflare/workerd-linux-64/bin/workerd',
    ),
  };
}
