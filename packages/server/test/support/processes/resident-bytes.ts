import { readFileSync } from 'node:fs';

/** Resident memory of a process in bytes, from the kernel. `VmRSS` is the current size, `VmHWM` the peak. */
export function residentBytes(pid: number, name: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024;
}
