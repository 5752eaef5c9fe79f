import { setTimeout as sleep } from 'node:timers/promises';
import { parseJson } from '@svc/catalog';
import type { Idempotency, KeyedRun } from '../applications/idempotency.js';
import { newId, type Random } from '../random.js';
import type { Failure, Outcome } from './outcome.js';

interface JobsParts {
  readonly idempotency: Pick<Idempotency, 'begin' | 'find'>;
  readonly random: Random;
  readonly onFault: (error: unknown) => void;
  /** Milliseconds that a caller waits for its call, because clients give up after 60 s. */
  readonly waitMs: number;
}

/** The call that a job runs. */
interface JobSubject {
  readonly toolName: string;
  readonly connectionName: string;
}

interface JobOwner {
  readonly applicationId: string;
  readonly identifier: string;
}

type OnProgress = ((seconds: number) => void) | undefined;

interface JobRequest {
  /** Called every few seconds with the seconds since the start. */
  readonly onProgress?: OnProgress;
  /** True when the caller may see the result of this call. */
  readonly maySee: (subject: JobSubject) => boolean;
}

interface RunningJob {
  readonly owner: string;
  readonly subject: JobSubject;
  readonly work: Promise<Outcome>;
}

interface StoredJob {
  readonly subject: JobSubject;
  readonly outcome: Outcome;
}

/** Time that a request for the result of a job waits. */
const GET_WAIT_MS = 25_000;
const PROGRESS_MS = 5000;
/** Interval of reading a job that runs in another process. */
const POLL_MS = 1000;
const TIMED_OUT = Symbol('timed out');

interface Wait {
  readonly ms: number;
  readonly progressMs: number;
  readonly onProgress: OnProgress;
}

/** Resolves to the outcome of the work, or to `TIMED_OUT`. Reports progress meanwhile. */
async function waitFor(
  work: Promise<Outcome>,
  { ms, progressMs, onProgress }: Wait,
): Promise<Outcome | typeof TIMED_OUT> {
  const startedAt = performance.now();
  const { promise: timeout, resolve } = Promise.withResolvers<typeof TIMED_OUT>();
  const timer = setTimeout(() => resolve(TIMED_OUT), ms);
  const report = () => onProgress?.((performance.now() - startedAt) / 1000);
  const interval = onProgress && setInterval(report, progressMs);
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
    clearInterval(interval);
  }
}

const keyOf = (id: string): string => `mcp job ${id}`;
const ownerText = ({ applicationId, identifier }: JobOwner): string =>
  JSON.stringify([applicationId, identifier]);

const stillRunning = (jobId: string): Failure => ({
  code: 'still_running',
  text: `still_running: The call goes on, and is not to be made again. Ask for its result by get_job with job_id "${jobId}"; it is kept for 24 hours.`,
  isRetryable: false,
  jobId,
});

const notFound = (): Failure => ({
  code: 'job_not_found',
  text: 'job_not_found: There is no such job of this user, or it is over 24 hours old.',
  isRetryable: false,
});

const lost = (why: string): Failure => ({
  code: 'job_lost',
  text: `job_lost: ${why} It may have happened: look before you call again.`,
  isRetryable: false,
});

/**
 * Calls that outlast the wait of their callers. An outcome is stored like the response of a call with an idempotency key:
 * encrypted, for a day, for every process. A call ends with its process, and its job is lost then.
 */
export function createJobs({ idempotency, random, onFault, waitMs }: JobsParts) {
  const getWaitMs = Math.min(GET_WAIT_MS, waitMs);
  const progressMs = Math.min(PROGRESS_MS, waitMs / 4);
  const pollMs = Math.min(POLL_MS, waitMs / 4);
  const running = new Map<string, RunningJob>();

  async function storeOutcome(
    id: string,
    { subject, work }: RunningJob,
    { run, identifier }: { readonly run: KeyedRun; readonly identifier: string },
  ): Promise<void> {
    try {
      const stored: StoredJob = { subject, outcome: await work };
      const { connectionName } = subject;
      await run.keep({ status: 200, body: JSON.stringify(stored) }, { connectionName, identifier });
    } catch (error) {
      onFault(error);
    } finally {
      running.delete(id);
    }
  }

  async function startJob(work: Promise<Outcome>, owner: JobOwner, subject: JobSubject): Promise<Failure> {
    const id = newId('job', random);
    const { applicationId, identifier } = owner;
    const begun = await idempotency
      .begin({ applicationId, key: keyOf(id), request: ownerText(owner) })
      .catch(onFault);
    // The call goes on without a job, so the model must not repeat it.
    if (!begun || !('run' in begun)) return lost('The call takes long, and its result cannot be stored.');
    const job = { owner: ownerText(owner), subject, work };
    running.set(id, job);
    void storeOutcome(id, job, { run: begun.run, identifier });
    return stillRunning(id);
  }

  /** Reads a job that does not run in this process. */
  async function findStored(id: string, owner: JobOwner): Promise<StoredJob | Failure> {
    const { applicationId } = owner;
    const found = await idempotency.find({ applicationId, key: keyOf(id), request: ownerText(owner) });
    if (found === undefined) return notFound();
    if (found === 'running') return stillRunning(id);
    if (found === 'lost') return lost('The service stopped while the call ran.');
    // This service stored it.
    return parseJson(found.body) as StoredJob;
  }

  /** Reads a job of another process until it ends or the wait is over. */
  async function pollStored(id: string, owner: JobOwner, onProgress: OnProgress) {
    const startedAt = performance.now();
    for (;;) {
      const stored = await findStored(id, owner);
      const elapsed = performance.now() - startedAt;
      if (!('code' in stored) || stored.code !== 'still_running' || elapsed >= getWaitMs) return stored;
      onProgress?.(elapsed / 1000);
      await sleep(pollMs);
    }
  }

  return {
    /** Resolves to the outcome of the work, or to a job that goes on with it. The work must not reject. */
    async wait(
      work: Promise<Outcome>,
      owner: JobOwner,
      { subject, onProgress }: { readonly subject: JobSubject; readonly onProgress?: OnProgress },
    ): Promise<Outcome> {
      const outcome = await waitFor(work, { ms: waitMs, progressMs, onProgress });
      return outcome === TIMED_OUT ? startJob(work, owner, subject) : outcome;
    },

    /** Resolves to the outcome of a job of this owner, or to its state. */
    async get(id: string, owner: JobOwner, { onProgress, maySee }: JobRequest): Promise<Outcome> {
      const here = running.get(id);
      if (here) {
        if (here.owner !== ownerText(owner) || !maySee(here.subject)) return notFound();
        const outcome = await waitFor(here.work, { ms: getWaitMs, progressMs, onProgress });
        return outcome === TIMED_OUT ? stillRunning(id) : outcome;
      }
      const stored = await pollStored(id, owner, onProgress);
      if ('code' in stored) return stored;
      return maySee(stored.subject) ? stored.outcome : notFound();
    },
  };
}

export type Jobs = ReturnType<typeof createJobs>;
