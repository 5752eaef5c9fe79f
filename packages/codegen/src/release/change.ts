/** What a change means for those who use the catalogue. */
export type Level = 'breaking' | 'additive' | 'internal';

/** From the one that asks most of a release to the one that asks least. */
export const LEVELS: readonly Level[] = ['breaking', 'additive', 'internal'];

/** Something that is no longer as it was, where, and what that means. */
export interface Change {
  readonly level: Level;
  /** Such as `input.filter.name`. */
  readonly where: string;
  readonly reason: string;
}

/** The level of several changes together; undefined without any. */
export function highestLevel(changes: readonly { readonly level: Level }[]): Level | undefined {
  return LEVELS.find((level) => changes.some((change) => change.level === level));
}
