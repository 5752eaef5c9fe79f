import path from 'node:path';
import { readManifests } from '../workspace.ts';
import { findReleaseCommit, git } from './release-commit.ts';

/**
 * Matches repository files that are part of a published package. Excludes the catalogue's schemas, because
 * check-released.ts compares those itself.
 */
const SHIPPED = /^(packages\/(?:connectors\/)?[^/]+)\/(?:src\/|build\/|bin\/|package\.json$)/;
/**
 * Matches repository files that no published package contains: tests, and generated code of private packages. The
 * generated code of connector packages and of core is published.
 */
const UNSHIPPED = /\.test\.tsx?$|^packages\/(?!core\/)[^/]+\/src\/generated\//;
/** Private packages whose built code a published package contains, by folder. */
const WITHIN: Readonly<Record<string, string>> = { 'packages/dashboard': 'packages/server' };

/**
 * Returns the published packages whose sources changed since the last release. Undefined if the git history does not
 * contain the last release.
 */
export function changedPackages(): readonly string[] | undefined {
  const release = findReleaseCommit();
  if (release === undefined) return undefined;
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
