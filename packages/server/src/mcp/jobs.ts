import type { Idempotency, KeyedRun } from '../applications/idempotency.js';
import { newId, type Random } from '../random.js';
import { sleep } from '../tools/sleep.js';
import type { Answer, Failed } from './answer.js';

export interface JobsParts {
  readonly idempotency: Pick<Idempotency, 'begin' | 'find'>;
  readonly random: Random;
  readonly onFault: (error: unknown) => void;
  /** A caller waits no longer for a call: clients give up after 60 s. */
  readonly waitMs: number;
}

/** What a job is about. */
export interface JobSubject {
  readonly toolName: string;
  readonly connectionName: string;
}

export interface JobOwner {
  readonly applicationId: string;
  readonly identifier: string;
}

export interface Waiting {
  /** Told every few seconds how many have passed, which is more each time. */
  readonly onProgress?: ((seconds: number) => void) | undefined;
  /** Whether the caller may see what the job is about. */
  readonly maySee: (subject: JobSubject) => boolean;
}

interface Running {
  readonly owner: string;
  readonly subject: JobSubject;
  readonly work: Promise<Answer>;
}

interface KeptJob {
  readonly subject: JobSubject;
  readonly answer: Answer;
}

/** For a job that is asked for. */
const ASK_MS = 25_000;
const PROGRESS_MS = 5000;
/** How often a job of another process is looked for. */
const LOOK_MS = 1000;
const LATE = Symbol('late');

interface Bounds {
  readonly ms: number;
  readonly beatMs: number;
  readonly onBeat: Waiting['onProgress'];
}

/** What work comes to, or `LATE`; says meanwhile that it goes on. */
async function within(work: Promise<Answer>, { ms, beatMs, onBeat }: Bounds): Promise<Answer | typeof LATE> {
  const began = performance.now();
  const { promise: late, resolve } = Promise.withResolvers<typeof LATE>();
  const timer = setTimeout(() => resolve(LATE), ms);
  const beat = () => onBeat?.((performance.now() - began) / 1000);
  const interval = onBeat && setInterval(beat, beatMs);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    clearInterval(interval);
  }
}

const keyOf = (id: string): string => `mcp job ${id}`;
const ownerText = ({ applicationId, identifier }: JobOwner): string =>
  JSON.stringify([applicationId, identifier]);

const stillRunning = (jobId: string): Failed => ({
  code: 'still_running',
  text: `still_running: The call goes on, and is not to be made again. Ask for its result by get_job with job_id "${jobId}"; it is kept for 24 hours.`,
  isRetryable: false,
  jobId,
});

const notFound = (): Failed => ({
  code: 'job_not_found',
  text: 'job_not_found: There is no such job of this user, or it is over 24 hours old.',
  isRetryable: false,
});

const lost = (why: string): Failed => ({
  code: 'job_lost',
  text: `job_lost: ${why} It may have happened: look before you call again.`,
  isRetryable: false,
});

/**
 * Calls that take longer than their callers wait. What they came to is kept like the answer of a call with an idempotency
 * key: encrypted, for a day, for every process. A call itself ends with its process, and its job says so then.
 */
export function createJobs({ idempotency, random, onFault, waitMs }: JobsParts) {
  const askMs = Math.min(ASK_MS, waitMs);
  const beatMs = Math.min(PROGRESS_MS, waitMs / 4);
  const lookMs = Math.min(LOOK_MS, waitMs / 4);
  const running = new Map<string, Running>();

  async function follow(
    id: string,
    { subject, work }: Running,
    { run, owner }: { run: KeyedRun; owner: JobOwner },
  ) {
    try {
      const kept: KeptJob = { subject, answer: await work };
      const { connectionName } = subject;
      await run.keep(
        { status: 200, body: JSON.stringify(kept) },
        { connectionName, identifier: owner.identifier },
      );
    } catch (error) {
      onFault(error);
    } finally {
      running.delete(id);
    }
  }

  async function handOver(work: Promise<Answer>, owner: JobOwner, subject: JobSubject): Promise<Failed> {
    const id = newId('job', random);
    const { applicationId } = owner;
    const begun = await idempotency
      .begin({ applicationId, key: keyOf(id), request: ownerText(owner) })
      .catch(onFault);
    // The call goes on all the same, and must not be taken for one that may be made again.
    if (!begun || !('run' in begun)) return lost('The call takes long, and its result cannot be kept.');
    const job = { owner: ownerText(owner), subject, work };
    running.set(id, job);
    void follow(id, job, { run: begun.run, owner });
    return stillRunning(id);
  }

  /** What a job came to that does not run in this process, or how it stands. */
  async function findKept(id: string, owner: JobOwner): Promise<KeptJob | Failed> {
    const { applicationId } = owner;
    const found = await idempotency.find({ applicationId, key: keyOf(id), request: ownerText(owner) });
    if (found === undefined) return notFound();
    if (found === 'running') return stillRunning(id);
    if (found === 'lost') return lost('The service stopped while the call ran.');
    return JSON.parse(found.body);
  }

  /** The same once it has ended, or nobody waits for it any longer. */
  async function untilKept(id: string, owner: JobOwner, onBeat: Waiting['onProgress']) {
    const began = performance.now();
    for (;;) {
      const kept = await findKept(id, owner);
      const passed = performance.now() - began;
      if (!('code' in kept) || kept.code !== 'still_running' || passed >= askMs) return kept;
      onBeat?.(passed / 1000);
      await sleep(lookMs);
    }
  }

  return {
    /** What the work comes to, or a job when that takes too long. The work must not throw. */
    async wait(
      work: Promise<Answer>,
      owner: JobOwner,
      { subject, onProgress }: { readonly subject: JobSubject } & Pick<Waiting, 'onProgress'>,
    ): Promise<Answer> {
      const answer = await within(work, { ms: waitMs, beatMs, onBeat: onProgress });
      return answer === LATE ? handOver(work, owner, subject) : answer;
    },

    async get(id: string, owner: JobOwner, { onProgress, maySee }: Waiting): Promise<Answer> {
      const here = running.get(id);
      if (here) {
        if (here.owner !== ownerText(owner) || !maySee(here.subject)) return notFound();
        const answer = await within(here.work, { ms: askMs, beatMs, onBeat: onProgress });
        return answer === LATE ? stillRunning(id) : answer;
      }
      const kept = await untilKept(id, owner, onProgress);
      if ('code' in kept) return kept;
      return maySee(kept.subject) ? kept.answer : notFound();
    },
  };
}

export type Jobs = ReturnType<typeof createJobs>;
