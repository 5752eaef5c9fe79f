import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import type { Received, ReceiverJob } from './event-receiver.ts';
import type { EventJob, EventJobResult } from './event-service.ts';
import { type JobProcess, startJobProcess } from './job-process.ts';
import type { Bench } from './part.ts';
import { startPostgresServer } from './start-postgres.ts';

type EventProcess = JobProcess<EventJob, EventJobResult>;

export interface EventBench {
  readonly receiver: JobProcess<ReceiverJob, Received>;
  readonly origin: string;
  /** Creates applications that each have webhook endpoints with these URLs, and returns the application ids. */
  readonly seed: (applications: number, urls: readonly string[]) => Promise<readonly string[]>;
  /**
   * Writes `count` events in total, distributed over all processes. If `perSecond` is set, it limits the total number
   * of events per second.
   */
  readonly write: (applicationIds: readonly string[], count: number, perSecond?: number) => Promise<void>;
}

const HOOKS = new URL('resolve-typescript.ts', import.meta.url).href;

async function openProcess(
  { folder, defer }: Bench,
  env: Readonly<Record<string, string>>,
): Promise<EventProcess> {
  const started = startJobProcess<EventJob, EventJobResult>('./event-service.ts', ['--import', HOOKS]);
  defer(started.stop);
  const data = path.join(mkdtempSync(path.join(folder, 'events-')), 'data');
  await started.run({ kind: 'open', env: { ...env, SVC_DATA: data } });
  defer(async () => void (await started.run({ kind: 'close' })));
  return started;
}

/**
 * Starts the process that receives webhooks, and the processes that write and deliver events: one with SQLite, or two
 * with PostgreSQL.
 */
export async function startEvents(bench: Bench, isOnPostgres: boolean): Promise<EventBench> {
  const receiver = startJobProcess<ReceiverJob, Received>('./event-receiver.ts');
  bench.defer(receiver.stop);
  const { origin } = await receiver.run({ kind: 'listen' });
  const env = {
    SVC_ROOT_KEY: randomBytes(32).toString('base64'),
    SVC_ALLOWED_ORIGINS: `webhooks=${origin}`,
    ...(isOnPostgres && { DATABASE_URL: await startPostgresServer(bench) }),
  };
  const first = await openProcess(bench, env);
  const processes = isOnPostgres ? [first, await openProcess(bench, env)] : [first];
  return {
    receiver,
    origin,
    seed: (applications, urls) => first.run({ kind: 'seed', applications, urls }),
    write: async (applicationIds, count, perSecond = Number.MAX_SAFE_INTEGER) => {
      const share = { count: count / processes.length, perSecond: perSecond / processes.length };
      await Promise.all(processes.map(({ run }) => run({ kind: 'write', applicationIds, ...share })));
    },
  };
}
