import { cpSync, existsSync } from 'node:fs';
import path from 'node:path';
import { arch } from 'node:process';
import { newFolder, run } from './workplace.ts';

const HERE = path.join(import.meta.dirname, 'tools');
const LOCKED = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'];
const isArm = arch === 'arm64';

/** Programs of the rehearsal by name; undefined where there is none for this machine. */
export interface Tools {
  readonly folder: string;
  /** The path of a file in one of the packages, if it is there. */
  readonly find: (file: string) => string | undefined;
  readonly node22: string | undefined;
  readonly bun: string | undefined;
  readonly deno: string | undefined;
  readonly workerd: string | undefined;
}

/** Installs what the rehearsal itself needs: the packages of its own lock file, and no others. */
export async function bringTools(): Promise<Tools> {
  const folder = newFolder('tools');
  for (const file of LOCKED) cpSync(path.join(HERE, file), path.join(folder, file));
  await run('pnpm', ['install', '--frozen-lockfile', '--prefer-offline'], { cwd: folder });
  const find = (file: string) => {
    const found = path.join(folder, 'node_modules', file);
    return existsSync(found) ? found : undefined;
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
