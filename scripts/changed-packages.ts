import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { readManifests } from './workspace.ts';

const ROOT = path.dirname(import.meta.dirname);
/** Files that ship in a package, without the catalogue, which has its own comparison. */
const SHIPPED = /^(packages\/(?:connectors\/)?[^/]+)\/(?:src\/|build\/|bin\/|package\.json$)/;
/** Generated code of the connectors ships: another generator makes another one of the same catalogue. */
const UNSHIPPED = /\.test\.tsx?$|^packages\/[^/]+\/src\/generated\//;
/** Private packages that ship within another one. */
const WITHIN: Readonly<Record<string, string>> = { 'packages/dashboard': 'packages/server' };

/** Runs git; undefined where there is no repository, or not enough of one. */
function git(...args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** Published packages whose sources are not those of the last release; undefined where the history does not tell. */
export function changedPackages(): readonly string[] | undefined {
  const release = git('log', '-1', '--format=%H', '--', 'schemas/released.json');
  if (!release) return undefined;
  const changed = git('diff', '--name-only', release, '--', 'packages');
  const added = git('ls-files', '--others', '--exclude-standard', '--', 'packages');
  if (changed === undefined || added === undefined) return undefined;
  const published = new Map(
    [...readManifests()]
      .filter(([, manifest]) => !manifest.private)
      .map(([file, { name }]) => [path.dirname(file), name]),
  );
  const names = `${changed}\n${added}`.split('\n').flatMap((file) => {
    const folder = UNSHIPPED.test(file) ? undefined : SHIPPED.exec(file)?.[1];
    return folder === undefined ? [] : (published.get(WITHIN[folder] ?? folder) ?? []);
  });
  return [...new Set(names)].sort();
}
