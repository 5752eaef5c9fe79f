import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Returns the CPU time in nanoseconds that all threads of a process have used since it started. */
export function cpuNs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.reduce((sum, thread) => {
    const [running = '0'] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    return sum + Number(running);
  }, 0);
}

/**
 * Returns the resident memory of a process in MiB. `now`: current memory. `peak`: maximum since `resetPeak` was called.
 */
export function memoryMib(pid: number, kind: 'now' | 'peak'): number {
  const field = { now: /^VmRSS:\s+(\d+) kB$/m, peak: /^VmHWM:\s+(\d+) kB$/m }[kind];
  const [, kib = '0'] = field.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1024;
}

export const resetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');
