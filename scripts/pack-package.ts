import { spawnSync } from 'node:child_process';
import path from 'node:path';

export interface Packed {
  /** Path of the archive, such as `<into>/svc-calendar.tgz`. */
  readonly tarball: string;
  /** Paths of the files in the archive. */
  readonly files: readonly string[];
}

interface PackOptions {
  readonly name: string;
  readonly folder: string;
  readonly into: string;
}

/** Packs a built package into an archive that npm can install. pnpm replaces `workspace:` by version ranges. */
export function packPackage({ name, folder, into }: PackOptions): Packed {
  const tarball = path.resolve(into, `${name.replace('@', '').replace('/', '-')}.tgz`);
  const { status, stdout, stderr } = spawnSync('pnpm', ['pack', '--json', '--out', tarball], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`pnpm pack failed in ${folder}: ${stderr}${stdout}`);
  const { files } = JSON.parse(stdout) as { files: { path: string }[] };
  return { tarball, files: files.map((file) => file.path) };
}
