import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startHelper } from './job-process.ts';
import type { Bench, Part, Result } from './part.ts';
import type { LoadJob, LoadResult } from './send-load.ts';
import type { Upstream } from './upstream.ts';

type Settings = Pick<Bench, 'isQuick' | 'accounts' | 'listed' | 'isOnPostgres'>;
type End = () => Promise<void>;

async function runAll(ends: End[], steps: () => Promise<void>): Promise<void> {
  try {
    await steps();
  } finally {
    for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end();
  }
}

/** Ends with a signal, so that whatever was started is ended. */
const interrupted = (): Promise<never> =>
  new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => reject(new Error(`Ended by ${signal}.`)));
  });

/** Runs the parts one after the other, and calls back with what each gives. */
export async function runParts(
  parts: ReadonlyMap<string, Part>,
  settings: Settings,
  onResult: (name: string, result: Result) => void,
): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-bench-'));
  const upstream = startHelper<object, Upstream>('./upstream.ts');
  const load = startHelper<LoadJob, LoadResult>('./send-load.ts');
  const ends: End[] = [
    async () => rmSync(folder, { recursive: true, force: true }),
    load.stop,
    upstream.stop,
  ];
  const signal = interrupted();
  signal.catch(() => undefined);
  await runAll(ends, async () => {
    const bench = { ...settings, folder, load: load.ask, upstream: await upstream.ask({}) };
    for (const [name, part] of parts) {
      const own: End[] = [];
      const running = part.run({ ...bench, defer: (end) => own.push(end) });
      await runAll(own, async () => onResult(name, await Promise.race([running, signal])));
    }
  });
}
