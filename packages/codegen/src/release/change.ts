/** What a change means for those who use the catalogue. */
export type Level = 'breaking' | 'additive' | 'internal';

/** From the one that asks most of a release to the one that asks least. */
export const LEVELS: readonly Level[] = ['breaking', 'additive', 'internal'];

const BUMPS = { breaking: 'major', additive: 'minor', internal: 'patch' } as const;

/** What a release has to be for changes of this level. */
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
