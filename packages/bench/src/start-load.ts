import { type JobProcess, startJobProcess } from './job-process.ts';
import type { LoadJob, LoadResult } from './send-load.ts';

const QUICK_MS = 50;

/** Starts the load generator in a separate process. In a quick run, each of its jobs takes at most 50 ms. */
export function startLoad(isQuick: boolean): JobProcess<LoadJob, LoadResult> {
  const { run, stop } = startJobProcess<LoadJob, LoadResult>('./send-load.ts');
  return { stop, run: isQuick ? (job) => run({ ...job, ms: Math.min(job.ms, QUICK_MS) }) : run };
}
