export interface DatabaseClockParts {
  /** What time it is for the database. */
  readonly read: () => Promise<number>;
  /** What time it is for this machine. */
  readonly local: () => number;
}

/** The database's clock as this process follows it: all instances agree on it, however wrong their own clocks are. */
export interface DatabaseClock {
  readonly now: () => number;
  readonly follow: () => Promise<void>;
}

// The answer to a question that took longer says too little of when it was given, and a clock that was set meanwhile nothing.
const LONGEST_MS = 500;

export function createDatabaseClock({ read, local }: DatabaseClockParts): DatabaseClock {
  let offset: number | undefined;
  return {
    now: () => Math.round(local() + (offset ?? 0)),
    follow: async () => {
      const asked = local();
      const time = await read();
      const tookMs = local() - asked;
      const isSound = tookMs >= 0 && tookMs <= LONGEST_MS;
      if (offset === undefined || isSound) offset = time - asked - tookMs / 2;
    },
  };
}
