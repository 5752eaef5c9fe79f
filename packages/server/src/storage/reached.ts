import type { DialectKind } from './open-dialect.js';

/**
 * How far deletions have come. PostgreSQL keeps what was deleted in its indexes until a vacuum: whoever began with the oldest
 * each time would walk over more and more of it.
 */
export interface Reached {
  /** The time to begin with. */
  from(name: string): number;
  /** To be told of the times of what was deleted, and whether the next slice, or the next run, goes on from there. */
  note(name: string, times: readonly number[], goesOn: boolean): void;
}

export function createReached(kind: DialectKind): Reached {
  const reached = new Map<string, number>();
  return {
    from: (name) => reached.get(name) ?? 0,
    note: (name, times, goesOn) => {
      if (kind === 'sqlite') return;
      if (goesOn)
        reached.set(
          name,
          times.reduce((one, other) => Math.max(one, other), reached.get(name) ?? 0),
        );
      else reached.delete(name);
    },
  };
}
