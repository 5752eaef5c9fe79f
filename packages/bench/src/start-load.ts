import { type JobProcess, startJobProcess } from './job-process.ts';
import type { LoadJob, LoadResult } from './send-load.ts';

const QUICK_MS = 50;

/** Starts a process that sends load. In a quick run each job takes 50 ms at most. */
export function startLoad(isQuick: boolean): JobProcess<LoadJob, LoadResult> {
  const { run, stop } = startJobProcess<LoadJob, LoadResult>('./send-load.ts');
  return { stop, run: isQuick ? (job) => run({ ...job, ms: Math.min(job.ms, QUICK_MS) }) : run };
}
