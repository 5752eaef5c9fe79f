/** Effect of a change on users of the catalogue. */
export type Level = 'breaking' | 'additive' | 'internal';

/** Levels of changes, the most severe first. */
export const LEVELS: readonly Level[] = ['breaking', 'additive', 'internal'];

const BUMPS = { breaking: 'major', additive: 'minor', internal: 'patch' } as const;

/** Returns the semver level that a change requires for the release. */
export const bumpOf = (level: Level): (typeof BUMPS)[Level] => BUMPS[level];

/** Difference between two versions of a schema, tool or connector, and its effect on users. */
export interface Change {
  readonly level: Level;
  /** Path of the difference, such as `input.filter.name`. */
  readonly where: string;
  readonly reason: string;
}

export const change = (level: Level, where: string, reason: string): Change => ({ level, where, reason });

/** Returns the highest level of several changes. Undefined if there are none. */
export function highestLevel(changes: readonly { readonly level: Level }[]): Level | undefined {
  return LEVELS.find((level) => changes.some((each) => each.level === level));
}
