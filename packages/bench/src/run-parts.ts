import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startJobProcess } from './job-process.ts';
import type { Bench, Part, Result } from './part.ts';
import { startLoad } from './start-load.ts';
import type { Upstream } from './upstream.ts';

type Settings = Pick<Bench, 'isQuick' | 'accounts' | 'executions' | 'isOnPostgres'>;

/** Runs `work`, then all functions that `work` passed to `defer`, in reverse order. */
async function withCleanUps(work: (defer: Bench['defer']) => Promise<void>): Promise<void> {
  const cleanUps: Array<() => Promise<void>> = [];
  try {
    await work((cleanUp) => cleanUps.push(cleanUp));
  } finally {
    for (let cleanUp = cleanUps.pop(); cleanUp !== undefined; cleanUp = cleanUps.pop()) await cleanUp();
  }
}

/** Rejects on SIGINT and SIGTERM, so that the cleanups still run. */
const rejectOnSignal = (): Promise<never> =>
  new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => reject(new Error(`Stopped by ${signal}.`)));
  });

/** Runs the benchmark parts one after another and reports the result of each part. */
export function runParts(
  parts: ReadonlyMap<string, Part>,
  settings: Settings,
  onResult: (name: string, result: Result) => void,
): Promise<void> {
  const signal = rejectOnSignal();
  signal.catch(() => undefined);
  return withCleanUps(async (deferToEnd) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'svc-bench-'));
    deferToEnd(async () => rmSync(folder, { recursive: true, force: true }));
    const load = startLoad(settings.isQuick);
    deferToEnd(load.stop);
    const upstream = startJobProcess<object, Upstream>('./upstream.ts');
    deferToEnd(upstream.stop);
    const bench = { ...settings, folder, load: load.run, upstream: await upstream.run({}) };
    for (const [name, part] of parts)
      await withCleanUps(async (defer) =>
        onResult(name, await Promise.race([part.run({ ...bench, defer }), signal])),
      );
  });
}
