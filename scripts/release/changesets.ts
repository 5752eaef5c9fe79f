import { globSync } from 'node:fs';
import path from 'node:path';
import { readText } from '../workspace.ts';

/** Semver levels of a release, in ascending order. */
const BUMPS = ['patch', 'minor', 'major'] as const;
export type Bump = (typeof BUMPS)[number];

/** Semver level that a release requires for each package, by package name. */
export type Bumps = ReadonlyMap<string, Bump>;

const isBump = (text: string | undefined): text is Bump => BUMPS.some((bump) => bump === text);

export const isEnough = (bump: Bump | undefined, needed: Bump): boolean =>
  bump !== undefined && BUMPS.indexOf(bump) >= BUMPS.indexOf(needed);

/** Reads the semver level of each package from the head of a changeset file, such as `'@svc/core': minor`. */
export function bumpsIn(text: string): Bumps {
  const [, head = ''] = /^---\n(.*?)^---$/ms.exec(text) ?? [];
  return new Map(
    head.split('\n').flatMap((line): [string, Bump][] => {
      const [, name, bump] = /^['"]?([^'":]+)['"]?: *(\w+)$/.exec(line) ?? [];
      return name !== undefined && isBump(bump) ? [[name, bump]] : [];
    }),
  );
}

/** Merges the semver levels of several changesets, and keeps the highest level of each package. */
export function joinBumps(all: readonly Bumps[]): Bumps {
  const joined = new Map<string, Bump>();
  for (const [name, bump] of all.flatMap((bumps) => [...bumps]))
    if (!isEnough(joined.get(name), bump)) joined.set(name, bump);
  return joined;
}

/** Reads the semver level that pending changesets request for each package. */
export function readPendingBumps(): Bumps {
  const files = globSync('.changeset/*.md', { cwd: path.join(import.meta.dirname, '../..') })
    .filter((file) => path.basename(file) !== 'README.md')
    .sort();
  return joinBumps(files.map((file) => bumpsIn(readText(file))));
}
