import { readFileSync } from 'node:fs';

/** Memory of a process, as the kernel counts it: now, or the most there was of it. */
export function residentBytes(pid: number, name: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024;
}
