import { type JobProcess, startJobProcess } from './job-process.ts';
import type { LoadJob, LoadResult } from './send-load.ts';

const QUICK_MS = 50;

/** Starts a process that sends load. Each job of a quick run takes at most 50 ms. */
export function startLoad(isQuick: boolean): JobProcess<LoadJob, LoadResult> {
  const { run, stop } = startJobProcess<LoadJob, LoadResult>('./send-load.ts');
  return { stop, run: isQuick ? (job) => run({ ...job, ms: Math.min(job.ms, QUICK_MS) }) : run };
}
