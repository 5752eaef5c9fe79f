import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesBelow, findAbove } from './folders.js';

/** Files that a run reads and writes. */
export interface Run {
  readonly schemas: string;
  readonly out: string;
  readonly scope: string;
  readonly only?: readonly string[] | undefined;
  readonly handlers?: string | undefined;
}

interface Stamp {
  /** The files that were generated. */
  readonly files: readonly string[];
  /** Digest of all files that were read, and of all files after the run. */
  readonly digest: string;
}

/** The last run of the same kind that ended with everything up to date. */
export interface LastRun {
  /** Number of generated files, when no file has changed since; else undefined. */
  readonly unchanged: () => number | undefined;
  readonly remember: (files: Iterable<string>) => void;
}

/** Known by the contents of files alone, and kept where other tools keep such things: in `node_modules/.cache` above `out`. */
export function openLastRun(run: Run): LastRun {
  const file = stampFile(run);
  return {
    unchanged: () => {
      const stamp = readStamp(file);
      if (stamp === undefined) return undefined;
      return stamp.digest === digestOf(run, stamp.files) ? stamp.files.length : undefined;
    },
    remember: (files) => {
      if (file === undefined) return;
      const sorted = [...files].sort();
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify({ files: sorted, digest: digestOf(run, sorted) } satisfies Stamp));
    },
  };
}

function stampFile(run: Run): string | undefined {
  const modules = findAbove(resolve(run.out), 'node_modules');
  const name = createHash('sha256').update(JSON.stringify(run)).digest('hex').slice(0, 16);
  return modules && join(modules, '.cache', 'svc-codegen', `${name}.json`);
}

function readStamp(file: string | undefined): Stamp | undefined {
  try {
    return file === undefined ? undefined : JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Files above the packages on whose presence their configuration depends. */
const SURROUNDINGS = ['tsconfig.base.json', 'pnpm-workspace.yaml'];

/** Calculates the digest of the generator, the schemas, the generated files, and other files beside them. */
function digestOf({ schemas, out }: Run, files: readonly string[]): string {
  const hash = createHash('sha256');
  const packages = new Set(
    files.filter((file) => file.endsWith('package.json')).map((file) => dirname(file)),
  );
  const own = [import.meta.url, import.meta.resolve('@svc/catalog')].map((url) =>
    dirname(fileURLToPath(url)),
  );
  const read = [
    ...own.flatMap((folder) => filesBelow(folder).filter((name) => name.endsWith('.js'))),
    ...filesBelow(schemas),
    ...[...packages].flatMap((folder) =>
      ['generated', 'recipes'].flatMap((name) => filesBelow(join(folder, 'src', name))),
    ),
    ...files,
  ];
  for (const file of new Set(read)) hash.update(`${file}\0`).update(contentOf(file)).update('\0');
  for (const name of SURROUNDINGS) hash.update(`${findAbove(out, name)}\0`);
  if (existsSync(out)) hash.update(readdirSync(out).sort().join('\0'));
  return hash.digest('hex');
}

function contentOf(file: string): Buffer | string {
  const stats = statSync(file, { throwIfNoEntry: false });
  // Reading a pipe would wait for ever. The catalogue refuses those that it would read.
  return stats?.isFile() ? readFileSync(file) : `${stats?.mode ?? 'absent'}`;
}
