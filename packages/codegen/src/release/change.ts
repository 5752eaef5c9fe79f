/** Effect of a change on users of the catalogue. */
export type Level = 'breaking' | 'additive' | 'internal';

/** Levels in descending order. */
export const LEVELS: readonly Level[] = ['breaking', 'additive', 'internal'];

const BUMPS = { breaking: 'major', additive: 'minor', internal: 'patch' } as const;

/** Release level that changes of this level require. */
export const bumpOf = (level: Level): (typeof BUMPS)[Level] => BUMPS[level];

/** A difference between two versions of something, and what it means. */
export interface Change {
  readonly level: Level;
  /** Such as `input.filter.name`. */
  readonly where: string;
  readonly reason: string;
}

export const change = (level: Level, where: string, reason: string): Change => ({ level, where, reason });

/** The level of several changes together; undefined without any. */
export function highestLevel(changes: readonly { readonly level: Level }[]): Level | undefined {
  return LEVELS.find((level) => changes.some((each) => each.level === level));
}
