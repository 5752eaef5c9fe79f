/** Effect of a catalogue change on callers: it breaks them, adds something, or changes nothing for them. */
export type Level = 'breaking' | 'additive' | 'internal';

/** Effects of catalogue changes, the most severe first. */
export const LEVELS: readonly Level[] = ['breaking', 'additive', 'internal'];

const BUMPS = { breaking: 'major', additive: 'minor', internal: 'patch' } as const;

/** Returns the part of the version (major, minor or patch) that a change of this level increases in a release. */
export const bumpOf = (level: Level): (typeof BUMPS)[Level] => BUMPS[level];

/** Difference between two versions of a schema, tool or connector, and its effect on callers. */
export interface Change {
  readonly level: Level;
  /** Path of the difference in the tool or connector, such as `input.filter.name`. */
  readonly where: string;
  readonly reason: string;
}

export const change = (level: Level, where: string, reason: string): Change => ({ level, where, reason });

/** Returns the most severe level of several changes. Undefined if there are none. */
export function highestLevel(changes: readonly { readonly level: Level }[]): Level | undefined {
  return LEVELS.find((level) => changes.some((each) => each.level === level));
}
