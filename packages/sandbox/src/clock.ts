/** Clock of the sandbox, in epoch milliseconds: the real time plus the time that tests advance. */
export interface Clock {
  now(): number;
  advance(ms: number): void;
  reset(): void;
}

export function createClock(realNow: () => number = Date.now): Clock {
  let advanced = 0;
  return {
    now: () => realNow() + advanced,
    advance(ms) {
      if (!Number.isFinite(ms) || ms < 0)
        throw new Error('The clock only moves forward. Give a positive number of milliseconds.');
      advanced += ms;
    },
    reset() {
      advanced = 0;
    },
  };
}
