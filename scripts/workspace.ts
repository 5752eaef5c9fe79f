import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Fields of a package.json that the scripts read. */
export interface Manifest {
  readonly name: string;
  readonly version?: string;
  readonly private?: boolean;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly engines?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const ROOT = path.dirname(import.meta.dirname);

export const readText = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

const MANIFESTS = [
  'package.json',
  'scripts/package.json',
  'packages/*/package.json',
  'packages/connectors/*/package.json',
];

/** Reads the package.json of every package in the workspace. Returns them by path. */
export const readManifests = (): ReadonlyMap<string, Manifest> =>
  new Map(
    globSync(MANIFESTS, { cwd: ROOT })
      .sort()
      .map((file) => [file, JSON.parse(readText(file)) as Manifest]),
  );

/** Package that the build of another package contains. */
export interface Bundled {
  readonly name: string;
  readonly version: string;
}

/** Reads the packages that a built package contains, by the path of its package.json. Most packages contain none. */
export function readBundled(manifestFile: string): readonly Bundled[] {
  const file = path.join(path.dirname(manifestFile), 'dist/bundled-packages.json');
  return existsSync(path.join(ROOT, file)) ? (JSON.parse(readText(file)) as Bundled[]) : [];
}

/** Reads the integrity hashes of the lock file by `name@version`. */
export function readIntegrities(): ReadonlyMap<string, string> {
  const lines = readText('pnpm-lock.yaml').split('\n');
  const entries = lines.flatMap((line, index): [string, string][] => {
    const integrity = /^ {4}resolution: \{integrity: (sha512-[^,}]+)/.exec(lines[index + 1] ?? '')?.[1];
    const id = /^ {2}(\S+):$/.exec(line)?.[1]?.replaceAll("'", '');
    return id === undefined || integrity === undefined ? [] : [[id, integrity]];
  });
  return new Map(entries);
}
