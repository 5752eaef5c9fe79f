import { setTimeout as sleep } from 'node:timers/promises';
import { parseJson } from '@svc/catalog';
import type { Idempotency, KeyedRun } from '../applications/idempotency.js';
import { newId, type Random } from '../text/random.js';
import type { Failure, Outcome } from './outcome.js';

interface JobsParts {
  readonly idempotency: Pick<Idempotency, 'begin' | 'find'>;
  readonly random: Random;
  readonly onFault: (error: unknown) => void;
  /** Milliseconds until a running call becomes a job. It must stay below 60 s, because MCP clients time out then. */
  readonly waitMs: number;
}

/**
 * Tool and connected account of a call that runs as a job. A token may read the job's result only if it allows both.
 */
interface JobSubject {
  readonly toolName: string;
  readonly connectionName: string;
  /** Label of the account. Absent or empty without a label. */
  readonly account?: string | undefined;
}

interface JobOwner {
  readonly applicationId: string;
  readonly identifier: string;
}

type OnProgress = ((seconds: number) => void) | undefined;

interface JobRequest {
  /** Progress callback. The service calls it every few seconds with the elapsed seconds. */
  readonly onProgress?: OnProgress;
  /** Returns true if the caller's token still allows the job's tool and connection. */
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

/** Maximum milliseconds that `get_job` waits for the result of a running job. */
const GET_WAIT_MS = 25_000;
const PROGRESS_MS = 5000;
/** Polling interval in milliseconds for a job that runs in another process. */
const POLL_MS = 1000;
/** Maximum size of a stored job, in MiB. A tool reads responses of at most this size. */
const MAX_STORED_MIB = 10;
const TIMED_OUT = Symbol('timed out');

interface Wait {
  readonly ms: number;
  readonly progressMs: number;
  readonly onProgress: OnProgress;
}

/** Waits for the result of the tool call. Resolves to `TIMED_OUT` after `ms`. Calls `onProgress` every `progressMs`. */
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
  text: `still_running: The call is still running. Do not repeat it. Get its result with get_job and job_id "${jobId}" within 24 hours.`,
  isRetryable: false,
  jobId,
});

const notFound = (): Failure => ({
  code: 'job_not_found',
  text: 'job_not_found: This user has no job with this job_id, or the job is over 24 hours old. Check the job_id.',
  isRetryable: false,
});

const lost = (why: string): Failure => ({
  code: 'job_lost',
  text: `job_lost: ${why} The call may have taken effect. Check whether it did before you call again.`,
  isRetryable: false,
});

/** Serializes an ended job. The result of a job above the maximum size is replaced by the failure `job_lost`. */
function toStoredText(job: StoredJob): string {
  const text = JSON.stringify(job);
  if (Buffer.byteLength(text) <= MAX_STORED_MIB * 1024 * 1024) return text;
  const why = `The call has ended, but its result is larger than the maximum of ${MAX_STORED_MIB} MiB, so the service did not store it.`;
  return JSON.stringify({ ...job, outcome: lost(why) });
}

/**
 * Creates the registry of tool calls that run longer than their MCP client waits. A result is stored like the response
 * of a call with an idempotency key: encrypted, for 24 hours, for every process. A tool call ends with its process, and
 * its job is lost then.
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
      const { connectionName, account } = subject;
      const body = toStoredText({ subject, outcome: await work });
      await run.store({ status: 200, body }, { connectionName, identifier, account });
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
    // The idempotency key that stores the result could not be created. The tool call runs on and cannot be stopped, so
    // the error tells the model not to repeat the call.
    if (!begun || !('run' in begun))
      return lost('The call is still running, but its result cannot be stored.');
    const job = { owner: ownerText(owner), subject, work };
    running.set(id, job);
    void storeOutcome(id, job, { run: begun.run, identifier });
    return stillRunning(id);
  }

  /** Reads the stored state of a job that runs, or ran, in another process. */
  async function findStored(id: string, owner: JobOwner): Promise<StoredJob | Failure> {
    const { applicationId } = owner;
    const state = await idempotency.find({ applicationId, key: keyOf(id), request: ownerText(owner) });
    if (state === undefined) return notFound();
    if (state === 'running') return stillRunning(id);
    if (state === 'lost') return lost('The service stopped while the call ran.');
    // The cast is safe, because `storeOutcome` wrote the stored JSON.
    return parseJson(state.body) as StoredJob;
  }

  /** Polls a job of another process until it ends or `getWaitMs` has passed. */
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
    /**
     * Waits up to `waitMs` for a tool call. Resolves to its result, or to `still_running` with a job id. `work` must
     * not reject.
     */
    async wait(
      work: Promise<Outcome>,
      owner: JobOwner,
      { subject, onProgress }: { readonly subject: JobSubject; readonly onProgress?: OnProgress },
    ): Promise<Outcome> {
      const outcome = await waitFor(work, { ms: waitMs, progressMs, onProgress });
      return outcome === TIMED_OUT ? startJob(work, owner, subject) : outcome;
    },

    /**
     * Resolves to the result of a job that `owner` started. Resolves to a `Failure` if the job still runs, is lost or
     * does not exist.
     */
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
