import { startJobProcess } from './job-process.ts';
import type { Bench } from './part.ts';
import { median } from './quantile.ts';
import type { SeedJob } from './seed.ts';
import { databaseSettings, startPostgresServer } from './start-postgres.ts';
import {
  connectAccount,
  createSettings,
  launch,
  type Service,
  type Settings,
  startService,
} from './start-service.ts';

export const CONNECTION = 'own';

export interface Seeded {
  readonly settings: Settings;
  readonly service: Service;
  /** Median time in milliseconds of several starts with the seeded data. */
  readonly readyMs: number;
}

const STARTS = 3;
const WITHOUT_SANDBOX = { isSandboxOn: false };

type SeedOptions = Pick<SeedJob, 'count' | 'brokenOf' | 'executions'>;

async function seed({ env, clientId }: Settings, options: SeedOptions): Promise<void> {
  const hooks = new URL('resolve-typescript.ts', import.meta.url).href;
  const seeder = startJobProcess<SeedJob, void>('./seed.ts', ['--import', hooks]);
  await seeder.run({
    env,
    applicationId: clientId,
    connectionName: CONNECTION,
    identifier: 'user_42',
    credential: 'bench-credential',
    ...options,
  });
  await seeder.stop();
}

/** Starts the service with an empty database, stops it, writes accounts into the database, and starts it again. */
export async function startWithSeed(
  bench: Bench,
  options: SeedOptions,
  env: Readonly<Record<string, string>> = {},
): Promise<Pick<Seeded, 'settings' | 'service'>> {
  const database = bench.isOnPostgres ? databaseSettings(await startPostgresServer(bench)) : {};
  const settings = await createSettings(bench, { env: { ...env, ...database } });
  const empty = await startService(bench, settings, WITHOUT_SANDBOX);
  await connectAccount(empty, CONNECTION, bench.upstream.small);
  await empty.stop();
  await seed(settings, options);
  return { settings, service: await startService(bench, settings, WITHOUT_SANDBOX) };
}

/**
 * Starts the service with `count` accounts several times to measure the start time. The service keeps running after the
 * last start.
 */
export async function startSeeded(bench: Bench, count: number): Promise<Seeded> {
  const { settings, service: first } = await startWithSeed(bench, { count });
  if (bench.isQuick) return { settings, service: first, readyMs: first.readyMs };
  await first.stop();
  const times = [first.readyMs];
  while (times.length < STARTS) {
    const { readyMs, stop } = await launch(bench, settings, WITHOUT_SANDBOX);
    times.push(readyMs);
    await stop();
  }
  const service = await startService(bench, settings, WITHOUT_SANDBOX);
  return { settings, service, readyMs: median([...times, service.readyMs]) };
}
