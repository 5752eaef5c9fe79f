import { LEVELS, type Level } from './change.js';
import type { ConnectorChanges, ReleaseChange } from './compare-release.js';

const BUMPS: Readonly<Record<Level, string>> = { breaking: 'major', additive: 'minor', internal: 'patch' };

/** What a release has to be for changes of this level. */
export const bumpOf = (level: Level): string => BUMPS[level];

/** The changes for a person: by connector, the gravest first. */
export function releaseText(connectors: readonly ConnectorChanges[]): readonly string[] {
  return connectors.flatMap(({ id, released, changes }) => [
    released === undefined
      ? `${id}, not released yet`
      : `${id}, since ${released.package} ${released.version}`,
    ...LEVELS.flatMap((level) => changes.filter((change) => change.level === level)).map(lineOf),
  ]);
}

function lineOf({ level, where, reason, broken }: ReleaseChange): string {
  const start = `  ${level.padEnd(8)}  ${where}: ${reason}`;
  return broken === undefined ? start : `${start}\n            not allowed: ${broken}`;
}
