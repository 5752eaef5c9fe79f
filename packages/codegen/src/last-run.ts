import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesBelow, findAbove } from './folders.js';

/** Folders and options of a generator run. */
export interface Run {
  readonly schemas: string;
  readonly out: string;
  readonly scope: string;
  readonly only?: readonly string[] | undefined;
  readonly handlers?: string | undefined;
}

interface Stamp {
  /** Paths of the files that the generator wrote. */
  readonly files: readonly string[];
  /** Digest of the contents of all files that the generator read or generated, after its run. */
  readonly digest: string;
}

/** Record of the last successful run of the generator with equal options. */
export interface LastRun {
  /** Returns the number of generated files if no file has changed since the last run. Undefined otherwise. */
  readonly unchanged: () => number | undefined;
  readonly remember: (files: Iterable<string>) => void;
}

/**
 * Opens the record of the generator's last run in `node_modules/.cache` above `out`. The record detects changes by a
 * digest of file contents, not by timestamps.
 */
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

/** Files in parent folders that change the configuration of the generated packages if they exist. */
const SURROUNDINGS = ['tsconfig.base.json', 'pnpm-workspace.yaml'];

/**
 * Calculates the digest of all files that affect the generator's output: the generator, the schemas, the generated
 * files, and hand-written files in the packages.
 */
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
  // Reads only regular files, because reading a pipe could block forever. The digest covers only the mode of other
  // files.
  return stats?.isFile() ? readFileSync(file) : `${stats?.mode ?? 'absent'}`;
}
