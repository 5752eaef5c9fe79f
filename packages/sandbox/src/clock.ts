/** Clock of the sandbox, in epoch milliseconds: the real time plus the time that tests advance. */
export interface Clock {
  now(): number;
  /** Runs `work` once when the clock reaches `time`. `reset` and the end of the process cancel it. */
  at(time: number, work: () => unknown): void;
  advance(ms: number): void;
  reset(): void;
}

interface Task {
  readonly time: number;
  readonly work: () => unknown;
}

/** Longest delay of a timer in Node.js. */
const LONGEST_DELAY = 2 ** 31 - 1;

export function createClock(realNow: () => number = Date.now): Clock {
  let advanced = 0;
  let tasks: readonly Task[] = [];
  let timer: NodeJS.Timeout | undefined;
  const now = () => realNow() + advanced;

  function runDue(): void {
    clearTimeout(timer);
    const time = now();
    const due = tasks.filter((task) => task.time <= time);
    tasks = tasks.filter((task) => task.time > time);
    const next = Math.min(...tasks.map((task) => task.time));
    if (tasks.length > 0) timer = setTimeout(runDue, Math.min(next - time, LONGEST_DELAY)).unref();
    for (const { work } of due) work();
  }

  return {
    now,
    at(time, work) {
      tasks = [...tasks, { time, work }];
      runDue();
    },
    advance(ms) {
      if (!Number.isFinite(ms) || ms < 0)
        throw new Error('The clock only moves forward. Give a number of milliseconds that is 0 or more.');
      advanced += ms;
      runDue();
    },
    reset() {
      advanced = 0;
      tasks = [];
      clearTimeout(timer);
    },
  };
}
